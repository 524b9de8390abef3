/** A disk with lists of footage, as seen by the signer of their heads. */
import {
  type ChainHead,
  compareHeads,
  type Descent,
  listBrokenHeads,
  readHeadFile,
  type SignedHead,
  type StreamKey,
  setHeadAside,
  streamFolder,
  writeHeadFile,
} from '../recording/index.ts'

/** Each rejects with {@link DiskAway} while the disk can't be reached. */
export interface HeadDisk {
  /** `disk` on the machine of the front, elsewhere the name of the machine. */
  readonly name: string
  /** How a head stands to the one that was signed before, and which head may be signed: it, or an earlier one for now. */
  examine(signed: SignedHead | undefined, head: ChainHead): Promise<{ descent: Descent; head: ChainHead }>
  /** The line of the file `head`. */
  readHead(stream: StreamKey): Promise<string | undefined>
  /** @returns false if the stream's folder is gone. */
  writeHead(stream: StreamKey, line: string): Promise<boolean>
  /** Keeps a head that the files don't continue, once; returns the path. @param at milliseconds since 1970. */
  setAside(stream: StreamKey, line: string, at: number): Promise<string>
}

export class DiskAway extends Error {
  override readonly name = 'DiskAway'
}

/** A disk of this machine. */
export function localHeadDisk(store: string): HeadDisk {
  const folderOf = (stream: StreamKey) => streamFolder(store, stream)
  return {
    name: 'disk',
    examine: async (signed, head) => ({ descent: await compareHeads(folderOf(head), signed, head), head }),
    readHead: (stream) => readHeadFile(folderOf(stream)),
    writeHead: (stream, line) => writeHeadFile(folderOf(stream), line),
    async setAside(stream, line, at) {
      // Until the new chain is signed, each try finds the same head broken, after a restart too.
      const before = (await listBrokenHeads(folderOf(stream))).find((head) => head.line === line)
      return before?.path ?? (await setHeadAside(folderOf(stream), line, at))
    },
  }
}
