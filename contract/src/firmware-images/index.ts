import * as z from 'zod/mini'
import { firmwareLabelProblem, firmwareVersionProblem, MAX_FIRMWARE_BYTES } from '../firmware/index.ts'
import { ofReseller, organisationIdText, resellerParams } from '../resellers/index.ts'
import { checkedText } from '../user-details/index.ts'
import { dateTime, id, idText, nothing, route } from '../wire/index.ts'
import { base64Problem } from './rules.ts'

export { MAX_FIRMWARE_IMAGES, MAX_FIRMWARE_TOTAL_BYTES } from './rules.ts'

/** Firmware that a dealer offers to their accounts for one model. */
export const firmwareImage = z.object({
  imageId: id,
  brand: z.string(),
  model: z.string(),
  version: z.string(),
  sizeBytes: z.int(),
  /** How much of it has arrived; it is offered once all has. */
  receivedBytes: z.int(),
  /** Of the whole image, in hexadecimal, as we computed it; null until all has arrived. */
  sha256: z.nullable(z.string()),
  /** Whether it came with a signature of the maker. */
  signed: z.boolean(),
  createdAt: dateTime,
})
export type FirmwareImage = z.infer<typeof firmwareImage>

const ofDealer = { access: 'object', callers: 'staff', support: 'no' } as const
const reading = { ...ofDealer, permission: 'viewAccounts' } as const
const changing = { ...ofDealer, permission: 'manageSubscriptions', apiKey: 'no' } as const
const imageParams = z.object({ resellerId: organisationIdText, imageId: idText })
const ofImage = { ids: { ...ofReseller, 'params.imageId': 'firmwareImage' }, params: imageParams } as const

export const getFirmwareImages = route({
  ...reading,
  name: 'getFirmwareImages',
  summary: 'List the firmware that a reseller offers to its accounts',
  method: 'GET',
  path: 'resellers/{resellerId}/firmwareImages',
  ids: ofReseller,
  params: resellerParams,
  reply: z.array(firmwareImage),
  list: { key: 'imageId', sort: ['brand', 'model', 'version', 'createdAt'], defaultLimit: 'all' },
  errors: ['notFound'],
})

const label = checkedText(firmwareLabelProblem)
const base64 = checkedText(base64Problem)

export const newFirmwareImage = z.object({
  /** As the cameras report it; the same for the model. */
  brand: label,
  model: label,
  version: checkedText(firmwareVersionProblem),
  sizeBytes: z.int().check(z.minimum(1), z.maximum(MAX_FIRMWARE_BYTES)),
  /** The maker's signature file as base64; it is kept as it is. */
  signature: z.optional(base64),
})
export type NewFirmwareImage = z.infer<typeof newFirmwareImage>

export const addFirmwareImage = route({
  ...changing,
  name: 'addFirmwareImage',
  summary: 'Start a firmware upload; its parts follow',
  method: 'POST',
  path: 'resellers/{resellerId}/firmwareImages',
  ids: ofReseller,
  params: resellerParams,
  body: newFirmwareImage,
  reply: firmwareImage,
  status: 201,
  created: 'resellers/{resellerId}/firmwareImages/{imageId}',
  errors: ['validation', 'notFound', 'duplicate', 'businessRule'],
})

export const getFirmwareImage = route({
  ...reading,
  ...ofImage,
  name: 'getFirmwareImage',
  summary: 'Get firmware that a reseller offers',
  method: 'GET',
  path: 'resellers/{resellerId}/firmwareImages/{imageId}',
  reply: firmwareImage,
  errors: ['notFound'],
})

export const putFirmwarePart = route({
  ...changing,
  name: 'putFirmwarePart',
  summary:
    'Upload a part of firmware: 512 KiB each, the last part the remainder; the last one that arrives completes the image',
  method: 'PUT',
  path: 'resellers/{resellerId}/firmwareImages/{imageId}/parts/{part}',
  ids: { ...ofReseller, 'params.imageId': 'firmwareImage' },
  params: z.object({ resellerId: organisationIdText, imageId: idText, part: z.string().check(z.regex(/^\d{1,3}$/)) }),
  body: z.object({ data: base64 }),
  status: 204,
  reply: nothing,
  errors: ['validation', 'notFound', 'businessRule'],
})

export const deleteFirmwareImage = route({
  ...changing,
  ...ofImage,
  name: 'deleteFirmwareImage',
  summary: 'Remove firmware; upgrades that have not begun are canceled',
  method: 'DELETE',
  path: 'resellers/{resellerId}/firmwareImages/{imageId}',
  status: 204,
  reply: nothing,
  errors: ['notFound'],
})
