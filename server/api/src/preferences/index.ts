import { getPreferences, MAX_PREFERENCES_BYTES, patchPreferences } from '@sightline/contract/preferences'
import type { Db } from '@sightline/platform/db'
import { serve, serveChange } from '@sightline/platform/http'
import { fail, ok } from '@sightline/platform/result'
import { lockUser } from '../users/index.ts'
import { mergePatch } from './merge-patch.ts'
import { loadPreferences, savePreferences } from './store.ts'

export { loadPreferences } from './store.ts'

/** The layout of a user's screens concerns only them, so there is no audit log entry. */
export const preferences = ({ db }: { readonly db: Db }) => [
  serve(getPreferences, async (caller) => ok(await db.inTenant(caller, (tx) => loadPreferences(tx, caller)))),

  serveChange(patchPreferences, (change, { body }) => {
    const { caller } = change
    return change.tx(caller, async (tx) => {
      await lockUser(tx, caller)
      const before = await loadPreferences(tx, caller)
      change.ifMatch(before)
      const after = mergePatch(before, body)
      const bytes = Buffer.byteLength(JSON.stringify(after))
      if (bytes > MAX_PREFERENCES_BYTES) {
        return fail({
          error: 'validation',
          detail: `preferences can be at most ${MAX_PREFERENCES_BYTES} bytes, and these would be ${bytes}`,
        })
      }
      await savePreferences(tx, caller, after)
      return ok(after)
    })
  }),
]
