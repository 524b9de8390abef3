import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { type FileHandle, mkdir, open, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

/** Of the content; each chunk is encrypted separately, so a download can start anywhere. */
const CHUNK_BYTES = 64 * 1024
const TAG_BYTES = 16
const STORED_BYTES = CHUNK_BYTES + TAG_BYTES
const ARTEFACT_KEY_BYTES = 32

/** One attempt to create an export's file. */
export interface ArtefactId {
  readonly exportId: number
  readonly attempt: number
}

/** The files of exports in a folder of this machine, encrypted: `<exportId>-<attempt>`. */
export interface ArtefactFiles {
  readonly folder: string
  create(id: ArtefactId): Promise<ArtefactWriter>
  /** @throws if it isn't there. */
  open(id: ArtefactId, of: { readonly key: Buffer; readonly bytes: number }): Promise<ArtefactReader>
  /** Everything that was written for an export. */
  drop(exportId: number): Promise<void>
  remove(id: ArtefactId): Promise<void>
  list(): Promise<readonly ArtefactId[]>
}

/** Writes one file from its beginning to its end. */
export interface ArtefactWriter extends AsyncDisposable {
  /** Random, for this file alone. */
  readonly key: Buffer
  /** Of the content received so far. */
  readonly bytes: number
  write(content: Uint8Array): Promise<void>
  /** Writes the rest and flushes it to disk. */
  finish(): Promise<void>
}

export interface ArtefactReader extends AsyncDisposable {
  /** The content; `till` isn't included. @throws if the file was changed or cut. */
  read(range: { readonly from: number; readonly till: number }): AsyncGenerator<Buffer, void, undefined>
}

/**
 * The number of the chunk, which with a key that encrypts one file only is never used twice (NIST SP 800-38D §8.2.1). The last chunk
 * says that it is the last, so that a file that was cut isn't taken for a whole one.
 */
function nonceOf(chunk: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12)
  nonce.writeUInt8(isLast ? 1 : 0, 3)
  nonce.writeBigUInt64BE(BigInt(chunk), 4)
  return nonce
}

const NAME = /^([1-9]\d{0,15})-([1-9]\d{0,8})$/

export function artefactFiles(folder: string): ArtefactFiles {
  const pathOf = ({ exportId, attempt }: ArtefactId) => join(folder, `${exportId}-${attempt}`)
  const remove = (id: ArtefactId) => rm(pathOf(id), { force: true })
  const list = async (): Promise<readonly ArtefactId[]> => {
    const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return []
      throw error
    })
    return names.flatMap((name) => {
      const [, exportId, attempt] = NAME.exec(name) ?? []
      return exportId === undefined ? [] : [{ exportId: Number(exportId), attempt: Number(attempt) }]
    })
  }
  return {
    folder,
    async create(id) {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      return new ChunkWriter(await open(pathOf(id), 'w', 0o600))
    },
    async open(id, of) {
      return new ChunkReader(await open(pathOf(id), 'r'), of)
    },
    async drop(exportId) {
      for (const id of await list()) if (id.exportId === exportId) await remove(id)
    },
    remove,
    list,
  }
}

class ChunkWriter implements ArtefactWriter {
  readonly key = randomBytes(ARTEFACT_KEY_BYTES)
  readonly #file: FileHandle
  readonly #waiting = Buffer.allocUnsafe(CHUNK_BYTES)
  #filled = 0
  #chunk = 0
  bytes = 0

  constructor(file: FileHandle) {
    this.#file = file
  }

  async write(content: Uint8Array): Promise<void> {
    this.bytes += content.length
    for (let at = 0; at < content.length; ) {
      // A full chunk waits until it is known that it isn't the last.
      if (this.#filled === CHUNK_BYTES) await this.#flush(false)
      const piece = content.subarray(at, at + CHUNK_BYTES - this.#filled)
      this.#waiting.set(piece, this.#filled)
      this.#filled += piece.length
      at += piece.length
    }
  }

  async finish(): Promise<void> {
    await this.#flush(true)
    await this.#file.sync()
  }

  async #flush(isLast: boolean): Promise<void> {
    const cipher = createCipheriv('aes-256-gcm', this.key, nonceOf(this.#chunk, isLast))
    const body = Buffer.concat([
      cipher.update(this.#waiting.subarray(0, this.#filled)),
      cipher.final(),
      cipher.getAuthTag(),
    ])
    const at = this.#chunk * STORED_BYTES
    for (let done = 0; done < body.length; )
      done += (await this.#file.write(body, done, body.length - done, at + done)).bytesWritten
    this.#chunk += 1
    this.#filled = 0
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#file.close()
  }
}

class ChunkReader implements ArtefactReader {
  readonly #file: FileHandle
  readonly #key: Buffer
  readonly #bytes: number

  constructor(file: FileHandle, { key, bytes }: { readonly key: Buffer; readonly bytes: number }) {
    this.#file = file
    this.#key = key
    this.#bytes = bytes
  }

  async *read({
    from,
    till,
  }: {
    readonly from: number
    readonly till: number
  }): AsyncGenerator<Buffer, void, undefined> {
    const last = Math.max(0, Math.ceil(this.#bytes / CHUNK_BYTES) - 1)
    for (let chunk = Math.floor(from / CHUNK_BYTES); chunk * CHUNK_BYTES < till; chunk++) {
      const begins = chunk * CHUNK_BYTES
      const content = await this.#chunk(chunk, chunk === last)
      yield content.subarray(Math.max(0, from - begins), till - begins)
    }
  }

  async #chunk(chunk: number, isLast: boolean): Promise<Buffer> {
    const size = isLast ? this.#bytes - chunk * CHUNK_BYTES + TAG_BYTES : STORED_BYTES
    const stored = Buffer.allocUnsafe(size)
    const { bytesRead } = await this.#file.read(stored, 0, size, chunk * STORED_BYTES)
    if (bytesRead < size) throw new Error(`export: chunk ${chunk} has ${bytesRead} of ${size} bytes`)
    const decipher = createDecipheriv('aes-256-gcm', this.#key, nonceOf(chunk, isLast), { authTagLength: TAG_BYTES })
    decipher.setAuthTag(stored.subarray(size - TAG_BYTES))
    return Buffer.concat([decipher.update(stored.subarray(0, size - TAG_BYTES)), decipher.final()])
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#file.close()
  }
}
