import type { ApiError } from '@sightline/contract/errors'
import type { BrandThemePatch } from '@sightline/contract/resellers'
import type { BrandTheme } from '@sightline/contract/theme'
import { appendAudit } from '@sightline/platform/audit'
import { isForeignPicture } from '@sightline/platform/brands'
import { MS_PER_HOUR } from '@sightline/platform/clock'
import type { Db, IdSource, Tx } from '@sightline/platform/db'
import type { JobTasks } from '@sightline/platform/jobs'
import { createSemaphore, toOverloadError } from '@sightline/platform/limits'
import type { Logger } from '@sightline/platform/log'
import { fail, ok, type Result } from '@sightline/platform/result'
import { type DownloadRules, ownPicture } from './brand-pictures/index.ts'
import { loadTheme, lockReseller, resellersWithForeignPictures, saveTheme } from './store.ts'
import { getEffectiveTheme } from './theme.ts'

const FIELDS = ['logo', 'logoDark', 'favicon'] as const
type PictureField = (typeof FIELDS)[number]

/** Downloads and decoding are the most expensive work of a theme change. */
const underWay = createSemaphore<number>({
  perKey: { concurrency: 1, queue: 2 },
  overall: { concurrency: 2, queue: 20 },
})

/** The new pictures of a change, without current ones that were sent back. */
export const newPictures = (
  patch: BrandThemePatch,
  shown: Pick<BrandTheme, PictureField>,
): Partial<Record<PictureField, string>> =>
  Object.fromEntries(
    FIELDS.flatMap((field) => {
      const picture = patch[field]
      return picture == null || picture === shown[field] ? [] : [[field, picture]]
    }),
  )

/** The same as re-encoded pictures. An invalid one rejects the change, with a sentence for its field. */
export async function ownPictures(
  pictures: Partial<Record<PictureField, string>>,
  { resellerId, rules }: { readonly resellerId: number; readonly rules: DownloadRules },
): Promise<Result<Partial<Record<PictureField, string>>, ApiError>> {
  const given = Object.entries(pictures)
  if (given.length === 0) return ok({})
  const made = await underWay.run(resellerId, () =>
    Promise.all(given.map(async ([field, picture]) => ({ field, own: await ownPicture(picture, rules) }))),
  )
  if (!made.ok) return fail(toOverloadError(made.failure, { doing: 'changing pictures', retryAfterS: 5 }))
  const faults = made.value.flatMap(({ field, own }) => (own.ok ? [] : [{ field, message: own.failure }]))
  const [first] = faults
  if (first !== undefined) {
    return fail({ error: 'validation', detail: `${first.field}: ${first.message}`, fields: faults })
  }
  return ok(Object.fromEntries(made.value.flatMap(({ field, own }) => (own.ok ? [[field, own.value]] : []))))
}

export interface BrandPictureDeps {
  /** Under the role `app`. */
  readonly db: Db
  readonly ids: IdSource
  readonly rules: DownloadRules
  readonly log: Logger
}

/**
 * Themes from earlier versions contain addresses of other hosts. Each picture is downloaded once; until that succeeds,
 * the brand shows its company name.
 */
export const brandPictureTasks = (deps: BrandPictureDeps): JobTasks => ({
  downloadBrandPictures: {
    everyMs: MS_PER_HOUR,
    async run(_payload, { signal }) {
      for (const resellerId of await resellersWithForeignPictures(deps.db)) {
        if (signal.aborted) break
        await takeOver(deps, resellerId)
      }
      return ok(undefined)
    },
  },
})

async function takeOver({ db, ids, rules, log }: BrandPictureDeps, resellerId: number): Promise<void> {
  const foreign = foreignPictures(await loadTheme(db.plain, resellerId))
  const made = await Promise.all(
    Object.entries(foreign).map(async ([field, address]) => ({
      field,
      address,
      own: await ownPicture(address, rules),
    })),
  )
  for (const { field, own } of made) {
    if (!own.ok) log.warn({ resellerId, field, reason: own.failure }, 'a brand picture was rejected')
  }
  const taken = made.flatMap(({ field, address, own }) => (own.ok ? [{ field, address, picture: own.value }] : []))
  if (taken.length === 0) return
  const scope = { organisationId: resellerId, userId: resellerId, resellerId }
  await db.inOrganisation(scope, (tx) => replace(tx, { resellerId, taken, ids }))
}

interface Replacement {
  readonly resellerId: number
  readonly taken: readonly { readonly field: string; readonly address: string; readonly picture: string }[]
  readonly ids: IdSource
}

async function replace(tx: Tx, { resellerId, taken, ids }: Replacement): Promise<void> {
  if ((await lockReseller(tx, resellerId)) === undefined) return
  const stored = await loadTheme(tx, resellerId)
  // A picture that was changed in the meantime stays.
  const still = taken.filter(({ field, address }) => stored[field] === address)
  if (still.length === 0) return
  const next = { ...stored, ...Object.fromEntries(still.map(({ field, picture }) => [field, picture])) }
  await saveTheme(tx, resellerId, next)
  const target = { kind: 'reseller', id: resellerId }
  const change = { target, before: getEffectiveTheme(stored), after: getEffectiveTheme(next) }
  const entry = { action: 'patchResellerTheme', accountId: resellerId, ...change }
  await appendAudit(tx, {
    ids,
    caller: { accountId: resellerId, userId: null, clientId: 'server' },
    address: '',
    entry,
  })
}

const foreignPictures = (stored: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(
    FIELDS.flatMap((field) => {
      const picture = stored[field]
      return typeof picture === 'string' && isForeignPicture(picture) ? [[field, picture]] : []
    }),
  )
