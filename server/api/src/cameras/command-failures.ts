import type { ApiError } from '@sightline/contract/errors'
import type { CameraCommandAnswer, CameraCommandFailure } from '@sightline/contract/media-plane'

type Failed = Exclude<CameraCommandAnswer, { readonly kind: 'done' }>

const errors: Readonly<Record<CameraCommandFailure, ApiError & { readonly detail: string }>> = {
  noOnvif: { error: 'capabilityNotSupported', detail: 'the camera is not connected by ONVIF' },
  unsupported: { error: 'capabilityNotSupported', detail: "the camera doesn't support this" },
  credentialsIncorrect: {
    error: 'deviceCredentialsIncorrect',
    detail: 'the camera rejected the change: its user name and password need to be those of an administrator',
  },
  rejected: { error: 'deviceInternal', detail: 'the camera rejected the change' },
  cameraOffline: { error: 'cameraOffline', detail: "the camera doesn't respond" },
  timedOut: { error: 'timedOut', detail: "the camera didn't respond in time: check it before you try again" },
}

/** The error of a call whose command a camera didn't carry out; `sentences` are said instead of the usual ones. */
export function commandError(
  { kind }: Failed,
  sentences: Partial<Record<CameraCommandFailure, string>> = {},
): ApiError {
  const error = errors[kind]
  return { ...error, detail: sentences[kind] ?? error.detail }
}
