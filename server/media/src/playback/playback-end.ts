/** Codes of the error catalogue (api.md §12): gone, rights changed, overloaded, timed out; 0 is the end of the footage. */
export type PlaybackEndCode = 0 | 4 | 9 | 16 | 19

/** Why a viewer's socket ended: we closed it with a code, or the viewer left. */
export type PlaybackEnd = { readonly kind: 'ended'; readonly code: PlaybackEndCode } | { readonly kind: 'left' }

const END_CODES: readonly number[] = [0, 4, 9, 16, 19]

const isEndCode = (reason: unknown): reason is PlaybackEndCode =>
  typeof reason === 'number' && END_CODES.includes(reason)

/** A signal that aborts for another reason (the process stops) looks to the viewer like an overload: try again soon. */
export const parseEndCode = (reason: unknown): PlaybackEndCode => (isEndCode(reason) ? reason : 16)
