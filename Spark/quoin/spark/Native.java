package quoin.spark;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;

/** The functions of {@code quoin.h}, by the C code that travels in the jar. Lists are texts with a line feed after each. */
final class Native {
  static final int READ_ONLY = 0;
  static final int CREATE = 2;

  private Native() {}

  static native long open(byte[] path, int flags);

  static native long openSnapshot(long store, byte[] name);

  static native void close(long store);

  static native byte[] tickers(long store);

  static native byte[] shards(long store);

  static native long count(long store, byte[] tickers, byte[] where);

  /** Whether a condition compares quotes with others of their day. */
  static native boolean isByDay(byte[] where);

  static native byte[] partitions(long store, byte[] tickers, long[] ends);

  static native long scan(long store, byte[] tickers, byte[] where, byte[] columns, long limit);

  static native long aggregate(long store, byte[] tickers, byte[] where, byte[] aggregates, byte[] by);

  static native long next(long rows, long[] places);

  /** The first letter of each column's format, as Arrow names it. */
  static native byte[] formats(long rows);

  static native void release(long rows);

  static native long beginImport(long store, byte[] names, byte[] formats, int capacity);

  static native void newBatch(long rows, long[] places);

  static native boolean send(long rows, int count);

  static native void finishImport(long rows, boolean isComplete);

  static native void publish(byte[] path, byte[] stores, boolean replaces);

  static {
    load("libquoin.so.1", "libquoin_spark.so");
  }

  /** The bytes of a text, with a zero at the end; null for null. */
  static byte[] text(String text) {
    if (text == null) return null;
    if (text.indexOf('\0') >= 0) {
      throw new QuoinException(QuoinException.MISUSE, "a text given to Quoin has a zero character in it");
    }
    return (text + '\0').getBytes(StandardCharsets.UTF_8);
  }

  /** The bytes of a list; null for null. */
  static byte[] list(List<String> texts) {
    return texts == null ? null : text(texts.isEmpty() ? "" : String.join("\n", texts) + "\n");
  }

  /** The texts of a list. */
  static List<String> texts(byte[] list) {
    return list.length == 0 ? List.of() : List.of(new String(list, StandardCharsets.UTF_8).split("\n"));
  }

  /**
   * Unpacks the libraries into a directory that their content names, and loads the last, which finds the others beside it. Processes
   * that do so at the same time write the same bytes.
   */
  private static void load(String... names) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      byte[][] contents = new byte[names.length][];
      for (int i = 0; i < names.length; i++) {
        try (InputStream in = Native.class.getResourceAsStream("/quoin/spark/native/" + names[i])) {
          if (in == null) throw new IOException("the jar has no " + names[i] + "; make spark-jar makes one that has");
          contents[i] = in.readAllBytes();
        }
        digest.update(contents[i]);
      }
      Path directory = ownDirectory("quoin-spark-" + HexFormat.of().formatHex(digest.digest(), 0, 8));
      for (int i = 0; i < names.length; i++) unpack(contents[i], directory.resolve(names[i]));
      System.load(directory.resolve(names[names.length - 1]).toString());
    } catch (IOException error) {
      throw new UncheckedIOException("Quoin's library can't be unpacked: " + error.getMessage(), error);
    } catch (NoSuchAlgorithmException error) {
      throw new IllegalStateException(error);
    }
  }

  /** A directory that only this user can write: the one of this name, or a new one if somebody else has that. */
  private static Path ownDirectory(String name) throws IOException {
    Path parent = Path.of(System.getProperty("java.io.tmpdir")), directory = parent.resolve(name + "-" + System.getProperty("user.name"));
    Set<PosixFilePermission> own = PosixFilePermissions.fromString("rwx------");
    try {
      return Files.createDirectory(directory, PosixFilePermissions.asFileAttribute(own));
    } catch (FileAlreadyExistsException error) {
      PosixFileAttributes found = Files.readAttributes(directory, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      Path mine = Files.createTempFile("quoin-spark", null);
      boolean isMine = Files.getOwner(mine).equals(found.owner()) && found.isDirectory() && found.permissions().equals(own);
      Files.delete(mine);
      return isMine ? directory : Files.createTempDirectory(name);
    }
  }

  private static void unpack(byte[] content, Path file) throws IOException {
    if (Files.exists(file) && Arrays.equals(Files.readAllBytes(file), content)) return;
    Path temporary = Files.createTempFile(file.getParent(), "new", null);
    Files.write(temporary, content);
    Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
  }
}
