import { open, readFile, stat } from 'node:fs/promises'
import { FIRMWARE_PART_BYTES, MAX_FIRMWARE_BYTES, MAX_SIGNATURE_BYTES } from '@sightline/contract/firmware'
import type { Db, IdSource } from '@sightline/platform/db'
import { fail, ok, type Result } from '@sightline/platform/result'
import { FIRMWARE_USAGE, type FirmwareCommand, type FirmwareFile } from './options.ts'
import { listAllImages, removeAnyImage, saveOperatorImage } from './store.ts'

interface FirmwareCommandDeps {
  readonly db: Db
  readonly ids: IdSource
}

/** Runs the operator's command as the database's owner; returns the text to print, or a sentence about the error. */
export async function runFirmwareCommand(
  command: FirmwareCommand,
  deps: FirmwareCommandDeps,
): Promise<Result<string, string>> {
  switch (command.kind) {
    case 'help':
      return ok(FIRMWARE_USAGE)
    case 'list': {
      const images = await listAllImages(deps.db)
      const lines = images.map((image) => {
        const owner = image.reseller_id === null ? 'operator' : `reseller ${image.reseller_id}`
        const sum = image.sha256?.toString('hex') ?? 'incomplete'
        return [image.image_id, owner, image.brand, image.model, image.version, `${image.size_bytes} bytes`, sum].join(
          '  ',
        )
      })
      return ok(lines.length === 0 ? 'No firmware is offered.\n' : `${lines.join('\n')}\n`)
    }
    case 'remove': {
      const isRemoved = await removeAnyImage(deps.db, command.imageId)
      return isRemoved
        ? ok(`Firmware ${command.imageId} is no longer offered.\n`)
        : fail(`There is no firmware ${command.imageId}.`)
    }
    case 'add':
      return await addImage(command.image, deps)
  }
}

async function addImage(
  { file, brand, model, version, signature }: FirmwareFile,
  { db, ids }: FirmwareCommandDeps,
): Promise<Result<string, string>> {
  const sizeBytes = await sizeOf(file)
  if (sizeBytes === undefined) return fail(`${file} can't be read.`)
  if (sizeBytes === 0 || sizeBytes > MAX_FIRMWARE_BYTES)
    return fail(`${file} has ${sizeBytes} bytes. Firmware has 1 to ${MAX_FIRMWARE_BYTES} bytes.`)
  const signatureBytes = signature === undefined ? 0 : await sizeOf(signature)
  if (signatureBytes === undefined) return fail(`${signature} can't be read.`)
  if (signatureBytes > MAX_SIGNATURE_BYTES)
    return fail(`${signature} has ${signatureBytes} bytes. A signature has at most ${MAX_SIGNATURE_BYTES} bytes.`)
  const sha256 = await saveOperatorImage(db, {
    imageId: await ids.next(),
    brand,
    model,
    version,
    sizeBytes,
    signature: signature === undefined ? undefined : await readFile(signature),
    parts: readFileParts(file),
  })
  if (sha256 === undefined) return fail(`Version ${version} for ${brand} ${model} is already offered.`)
  return ok(`Version ${version} for ${brand} ${model} is offered to all accounts.\nSHA-256 ${sha256}\n`)
}

const sizeOf = (file: string): Promise<number | undefined> =>
  stat(file).then(
    (found) => (found.isFile() ? found.size : undefined),
    () => undefined,
  )

async function* readFileParts(file: string): AsyncIterable<Buffer> {
  await using handle = await open(file)
  for (;;) {
    const part = Buffer.alloc(FIRMWARE_PART_BYTES)
    let filled = 0
    while (filled < part.length) {
      const { bytesRead } = await handle.read(part, filled)
      if (bytesRead === 0) break
      filled += bytesRead
    }
    if (filled > 0) yield part.subarray(0, filled)
    if (filled < part.length) return
  }
}
