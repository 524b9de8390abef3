import {
  addBrandHost,
  deleteBrandHost,
  getBrandHost,
  getBrandHosts,
  MAX_BRAND_HOSTS,
  normalBrandHost,
} from '@sightline/contract/brand-hosts'
import type { ApiError } from '@sightline/contract/errors'
import type { BrandSource } from '@sightline/platform/brands'
import type { Db, Tx } from '@sightline/platform/db'
import { serve, serveChange } from '@sightline/platform/http'
import { fail, ok } from '@sightline/platform/result'
import { mapFailures } from '../distributors/index.ts'
import { getModuleDenyReason, inReseller, lockReseller } from '../resellers/index.ts'
import { insertHost, isHostTaken, listHosts, removeHost } from './store.ts'

interface BrandHostsDeps {
  readonly db: Db
  readonly telling: { readonly brands: BrandSource }
}

export const brandHosts = ({ db, telling }: BrandHostsDeps) => [
  serve(getBrandHosts, (caller, { params }) =>
    inReseller({ db, caller, ...params }, async (tx, reseller) => {
      const denied = getModuleDenyReason(reseller, 'whiteLabel')
      return denied === undefined ? ok(await listHosts(tx, reseller.resellerId)) : fail(denied)
    }),
  ),

  serve(getBrandHost, (caller, { params }) =>
    inReseller({ db, caller, ...params }, async (tx, reseller) => {
      const denied = getModuleDenyReason(reseller, 'whiteLabel')
      if (denied !== undefined) return fail(denied)
      const name = normalBrandHost(params.host)
      const found = (await listHosts(tx, reseller.resellerId)).find(({ host }) => host === name)
      return found === undefined ? fail({ error: 'notFound' }) : ok(found)
    }),
  ),

  serveChange(addBrandHost, async (change, { params, body }) => {
    const { caller } = change
    const host = normalBrandHost(body.host)
    const isTaken = await isProvidersOwn(telling.brands, host)
    return mapFailures(
      () =>
        inReseller({ db, change, caller, ...params }, async (tx, { resellerId }) => {
          const denied = await lockForChange(tx, resellerId)
          if (denied !== undefined) return fail(denied)
          if (isTaken) return fail({ error: 'duplicate', detail: 'this host is the provider’s own' })
          const { length } = await listHosts(tx, resellerId)
          if (length >= MAX_BRAND_HOSTS) return fail(tooMany)
          const added = await insertHost(tx, resellerId, host)
          await change.audit({
            action: 'addBrandHost',
            accountId: resellerId,
            ...auditTarget(resellerId),
            after: added,
          })
          return ok(added)
        }),
      (error) => (isHostTaken(error) ? { error: 'duplicate', detail: 'a brand has this host already' } : undefined),
    )
  }),

  serveChange(deleteBrandHost, (change, { params }) => {
    const { caller } = change
    return inReseller({ db, change, caller, ...params }, async (tx, { resellerId }) => {
      const denied = await lockForChange(tx, resellerId)
      if (denied !== undefined) return fail(denied)
      const host = normalBrandHost(params.host)
      if (!(await removeHost(tx, resellerId, host))) return fail({ error: 'notFound' })
      await change.audit({
        action: 'deleteBrandHost',
        accountId: resellerId,
        ...auditTarget(resellerId),
        before: { host },
      })
      return ok(undefined)
    })
  }),
]

const tooMany: ApiError = { error: 'businessRule', detail: `a brand has at most ${MAX_BRAND_HOSTS} hosts` }

async function isProvidersOwn(brands: BrandSource, host: string): Promise<boolean> {
  const shown = await brands.forHost(host)
  return shown.host === host && shown.resellerId === undefined
}

/** Why the hosts of a reseller can't be changed; otherwise the reseller is locked until the transaction ends. */
async function lockForChange(tx: Tx, resellerId: number): Promise<ApiError | undefined> {
  const reseller = await lockReseller(tx, resellerId)
  return reseller === undefined ? { error: 'notFound' } : getModuleDenyReason(reseller, 'whiteLabel')
}

const auditTarget = (resellerId: number) => ({ target: { kind: 'reseller', id: resellerId } })
