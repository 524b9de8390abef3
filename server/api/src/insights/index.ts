import { getInsights, insightPeriods } from '@sightline/contract/insights'
import { toDateTime } from '@sightline/contract/wire'
import { MS_PER_DAY } from '@sightline/platform/clock'
import type { Db } from '@sightline/platform/db'
import { serve } from '@sightline/platform/http'
import { ok } from '@sightline/platform/result'
import { inReseller } from '../resellers/index.ts'
import { countInsights } from './store.ts'

export const insights = ({ db, now }: { readonly db: Db; readonly now: () => number }) => [
  serve(getInsights, (caller, { params, query }) =>
    inReseller({ db, caller, ...params }, async (tx, { resellerId }) => {
      const till = now()
      const from = till - insightPeriods[query.period] * MS_PER_DAY
      const counts = await countInsights(tx, { resellerId, accountIds: caller.accountIds, from })
      return ok({ resellerId, from: toDateTime(from), till: toDateTime(till), ...counts })
    }),
  ),
]
