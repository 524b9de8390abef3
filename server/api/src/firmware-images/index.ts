import type { ApiError } from '@sightline/contract/errors'
import { FIRMWARE_PART_BYTES, firmwareParts, MAX_SIGNATURE_BYTES } from '@sightline/contract/firmware'
import {
  addFirmwareImage,
  deleteFirmwareImage,
  type FirmwareImage,
  getFirmwareImage,
  getFirmwareImages,
  MAX_FIRMWARE_IMAGES,
  MAX_FIRMWARE_TOTAL_BYTES,
  type NewFirmwareImage,
  putFirmwarePart,
} from '@sightline/contract/firmware-images'
import type { Db, IdSource } from '@sightline/platform/db'
import { type Change, serve, serveChange } from '@sightline/platform/http'
import { fail, ok } from '@sightline/platform/result'
import type { StaffCaller } from '@sightline/platform/sessions'
import { mapFailures } from '../distributors/index.ts'
import { inReseller, lockReseller } from '../resellers/index.ts'
import {
  completeImage,
  findImage,
  insertImage,
  isImageThere,
  listImages,
  lockImage,
  removeImage,
  savePart,
} from './store.ts'

const noSuchImage: ApiError = { error: 'notFound' }
const isComplete: ApiError = { error: 'businessRule', detail: 'this firmware is already complete' }
const tooMany: ApiError = {
  error: 'businessRule',
  detail: `at most ${MAX_FIRMWARE_IMAGES} versions of firmware are kept`,
}
const BYTES_PER_MIB = 1024 ** 2

/** Why another image can't be kept beside these; undefined if it can. One counts as a whole from the beginning of its upload. */
function roomFault(kept: readonly FirmwareImage[], { sizeBytes }: NewFirmwareImage): ApiError | undefined {
  if (kept.length >= MAX_FIRMWARE_IMAGES) return tooMany
  const used = kept.reduce((sum, image) => sum + image.sizeBytes, 0)
  if (used + sizeBytes <= MAX_FIRMWARE_TOTAL_BYTES) return undefined
  const [most, left] = [MAX_FIRMWARE_TOTAL_BYTES, MAX_FIRMWARE_TOTAL_BYTES - used].map((bytes) =>
    Math.floor(bytes / BYTES_PER_MIB),
  )
  return {
    error: 'businessRule',
    detail: `all firmware together has at most ${most} MiB, and ${left} MiB are left: remove some first`,
  }
}

const isThere: ApiError = { error: 'duplicate', detail: 'this version has already been added for this model' }

interface Deps {
  readonly db: Db
  readonly ids: IdSource
}

/** Firmware that dealers offer to their accounts (docs/decisions/0108). */
export const firmwareImages = (deps: Deps) => [...reading(deps), ...uploading(deps), removing(deps)]

const reading = ({ db }: Deps) => [
  serve(getFirmwareImages, (caller, { params }) =>
    inReseller({ db, caller, ...params }, async (tx, { resellerId }) => ok(await listImages(tx, resellerId))),
  ),

  serve(getFirmwareImage, (caller, { params }) =>
    inReseller({ db, caller, ...params }, async (tx, { resellerId }) => {
      const image = await findImage(tx, { resellerId, imageId: params.imageId })
      return image === undefined ? fail(noSuchImage) : ok(image)
    }),
  ),
]

function signatureFault({ signature = '' }: NewFirmwareImage): ApiError | undefined {
  if (Buffer.from(signature, 'base64').length <= MAX_SIGNATURE_BYTES) return undefined
  const message = 'A signature file has at most 64 KiB'
  return { error: 'validation', detail: message, fields: [{ field: 'signature', message }] }
}

/** Why bytes can't be that part; undefined if they can. All parts have the same size, and the last one what remains. */
function partFault({ sizeBytes }: FirmwareImage, part: number, bytes: number): ApiError | undefined {
  const last = firmwareParts(sizeBytes) - 1
  const expected = part === last ? sizeBytes - last * FIRMWARE_PART_BYTES : FIRMWARE_PART_BYTES
  if (part <= last && bytes === expected) return undefined
  const message =
    part > last ? `The last part is ${last}` : `Part ${part} has ${expected} bytes, but ${bytes} bytes arrived`
  return { error: 'validation', detail: message, fields: [{ field: 'data', message }] }
}

const uploading = ({ db, ids }: Deps) => [
  serveChange(addFirmwareImage, async (change, { params, body }) => {
    const { caller } = change
    const fault = signatureFault(body)
    const imageId = await ids.next()
    return mapFailures(
      () =>
        inReseller({ db, change, caller, ...params }, async (tx, { resellerId }) => {
          if (fault !== undefined) return fail(fault)
          await lockReseller(tx, resellerId)
          const full = roomFault(await listImages(tx, resellerId), body)
          if (full !== undefined) return fail(full)
          await insertImage(tx, { resellerId, imageId }, body)
          const image = await findImage(tx, { resellerId, imageId })
          if (image === undefined) return fail(noSuchImage)
          await audit(change, { action: 'addFirmwareImage', resellerId, after: toAuditValues(image) })
          return ok(image)
        }),
      (error) => (isImageThere(error) ? isThere : undefined),
    )
  }),

  serveChange(putFirmwarePart, (change, { params, body }) => {
    const { caller } = change
    return inReseller({ db, change, caller, ...params }, async (tx, { resellerId }) => {
      const key = { resellerId, imageId: params.imageId }
      const before = await lockImage(tx, key)
      if (before === undefined) return fail(noSuchImage)
      if (before.sha256 !== null) return fail(isComplete)
      const bytes = Buffer.from(body.data, 'base64')
      const part = Number(params.part)
      const fault = partFault(before, part, bytes.length)
      if (fault !== undefined) return fail(fault)
      await savePart(tx, { imageId: params.imageId, part, bytes })
      const received = await findImage(tx, key)
      if (received === undefined || received.receivedBytes < received.sizeBytes) return ok(undefined)
      await completeImage(tx, received)
      const after = (await findImage(tx, key)) ?? received
      await audit(change, { action: 'putFirmwarePart', resellerId, after: toAuditValues(after) })
      return ok(undefined)
    })
  }),
]

const removing = ({ db }: Deps) =>
  serveChange(deleteFirmwareImage, (change, { params }) => {
    const { caller } = change
    return inReseller({ db, change, caller, ...params }, async (tx, { resellerId }) => {
      const key = { resellerId, imageId: params.imageId }
      const before = await lockImage(tx, key)
      if (before === undefined) return fail(noSuchImage)
      await removeImage(tx, key)
      await audit(change, { action: 'deleteFirmwareImage', resellerId, before: toAuditValues(before) })
      return ok(undefined)
    })
  })

const toAuditValues = ({ brand, model, version, sizeBytes, sha256, signed }: FirmwareImage) => ({
  brand,
  model,
  version,
  sizeBytes,
  sha256,
  signed,
})

interface Entry {
  readonly action: string
  readonly resellerId: number
  readonly before?: object
  readonly after?: object
}

const audit = (change: Pick<Change<StaffCaller>, 'audit'>, { resellerId, ...entry }: Entry): Promise<void> =>
  change.audit({ accountId: resellerId, target: { kind: 'reseller', id: resellerId }, ...entry })
