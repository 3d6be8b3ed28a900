// Files that a kill or a power cut leaves either as they were or as they were to be.
import { closeSync, fsyncSync, openSync, renameSync, writeSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** Puts a file in place: written whole beside it, synced, renamed, and its directory synced. Returns once it is on disk. */
export function putDurably(path, text) {
  put(path, text);
  const directory = openSync(dirname(path), 'r');
  try {
    fsyncSync(directory);
  } finally {
    closeSync(directory);
  }
}

/** As putDurably, without syncing the directory: a power cut may bring the earlier file back, whole. */
export function put(path, text) {
  const beside = join(dirname(path), `.${basename(path)}.tmp`);
  const file = openSync(beside, 'w', 0o600);
  try {
    const bytes = Buffer.from(text);
    for (let done = 0; done < bytes.length; ) {
      done += writeSync(file, bytes, done);
    }
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(beside, path);
}
