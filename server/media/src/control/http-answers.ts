import type { IncomingMessage, ServerResponse } from 'node:http'
import { type ErrorName, errorCatalogue, toErrorBody } from '@sightline/contract/errors'
import { streamName } from '@sightline/contract/streams'
import { dateTimeText, idText } from '@sightline/contract/wire'
import type { EndCode, OpenStreamInput } from './stream-sessions.ts'

const RETRY_AFTER_S = 10

export const streamErrors: Readonly<Record<EndCode, ErrorName>> = {
  4: 'notFound',
  9: 'notAuthorized',
  14: 'deviceOffline',
  16: 'overloaded',
  18: 'cameraOffline',
  19: 'timedOut',
}

/** Whether a session's signal says why it ended. */
export const isEndCode = (reason: unknown): reason is EndCode =>
  typeof reason === 'number' && Object.hasOwn(streamErrors, String(reason))

/** Refuses a request of a stream as the API refuses calls. */
export function refuse(res: ServerResponse, error: ErrorName, detail?: string): void {
  if (res.headersSent) return void res.destroy()
  const text = JSON.stringify(toErrorBody({ error, ...(detail === undefined ? {} : { detail }) }))
  if (error === 'overloaded') res.setHeader('retry-after', RETRY_AFTER_S)
  const type = { 'content-type': 'application/json; charset=utf-8', 'content-length': Buffer.byteLength(text) }
  res.writeHead(errorCatalogue[error].status, { ...type, 'cache-control': 'no-store' }).end(text)
}

/** The address of a request of a stream. */
export interface RequestedStream
  extends Pick<OpenStreamInput, 'cameraId' | 'credential' | 'from' | 'stream' | 'address'> {
  readonly till: number | undefined
  readonly parameters: URLSearchParams
}

/** What is the same in the addresses of all streams; an error if it can't be read. `address` is the client's. */
export function readStreamAddress(
  { url = '', headers }: Pick<IncomingMessage, 'url' | 'headers'>,
  address: string,
): RequestedStream | ErrorName {
  const { searchParams: parameters } = new URL(url, 'http://media')
  const cameraId = idText.safeParse(parameters.get('camera_id') ?? '')
  if (!cameraId.success) return 'notFound'
  const stream = parameters.has('stream') ? streamName.safeParse(parameters.get('stream')) : undefined
  const times = ['from', 'till'].map((key) => {
    const text = parameters.get(key)
    return text === null ? undefined : dateTimeText.safeParse(text)
  })
  if (stream?.success === false || times.some((time) => time?.success === false)) return 'validation'
  const [from, till] = times.map((time) => time?.data)
  if (from !== undefined && till !== undefined && till <= from) return 'validation'
  const credential = readCredential(parameters, headers.authorization)
  return { cameraId: cameraId.data, credential, from, till, stream: stream?.data, address, parameters }
}

/** A ticket or a token in the address, or a token in the header (RFC 6750 §2.1), which no proxy logs. */
function readCredential(parameters: URLSearchParams, authorization: string | undefined): OpenStreamInput['credential'] {
  const ticket = parameters.get('ticket')
  if (ticket !== null) return { ticket }
  const bearer = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1]
  return { accessToken: parameters.get('access_token') ?? bearer ?? '' }
}
