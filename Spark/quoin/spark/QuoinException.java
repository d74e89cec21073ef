package quoin.spark;

import java.nio.charset.StandardCharsets;

/** What went wrong: a sentence, and a code of {@code quoin.h}. */
public final class QuoinException extends RuntimeException {
  private static final long serialVersionUID = 1;

  static final int MISUSE = 1;
  static final int NO_STORE = 4;
  static final int UNANSWERABLE = 8;
  static final int UNKNOWN_SNAPSHOT = 12;

  private final int code;

  QuoinException(int code, byte[] sentence) {
    this(code, new String(sentence, StandardCharsets.UTF_8));
  }

  QuoinException(int code, String sentence) {
    super(sentence);
    this.code = code;
  }

  /** The {@code quoin_code}. */
  public int code() {
    return code;
  }
}
