import type { ApiError } from '@sightline/contract/errors'

/** A restart that takes longer has failed; it usually takes two minutes (specification §9). */
export const REBOOT_MS = 10 * 60_000

export const noSuchJob: ApiError = { error: 'notFound', detail: 'job not found' }
export const begun: ApiError = { error: 'businessRule', detail: 'only a job that has not begun can be canceled' }
