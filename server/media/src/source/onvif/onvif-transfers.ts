import type { HttpAddress } from './onvif-http.ts'

export interface OnvifDownload {
  readonly address: HttpAddress
  /** `GET` by default. */
  readonly method?: 'GET' | 'PUT'
  readonly timeoutMs: number
  readonly maxReplyBytes: number
  readonly signal: AbortSignal
}

export interface OnvifUpload {
  readonly address: HttpAddress
  readonly sizeBytes: number
  /** Called again if the camera wants to be asked with its password. */
  readonly parts: () => AsyncIterable<Buffer>
  readonly contentType?: string
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

/** What a camera said to a file, whatever its status is. */
export interface UploadReply {
  readonly status: number
  readonly text: string
}
