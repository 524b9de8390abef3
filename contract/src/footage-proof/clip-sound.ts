import * as z from 'zod/mini'

/**
 * The sound of a file of footage. `kept`: as recorded. `hidden`: in the file as recorded, in a format that players of MP4 don't know, so that
 * they have none. `encoded`: the same, and again as AAC for players. `replaced`: re-encoded as AAC, and not in the file as recorded. `leftOut`: not in the file. `none`: not
 * recorded.
 */
export const clipSound = z.enum(['kept', 'hidden', 'encoded', 'replaced', 'leftOut', 'none'])
export type ClipSound = z.infer<typeof clipSound>
