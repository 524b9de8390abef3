import { type AccountPatch, patchResellerAccount } from '@sightline/contract/reseller-accounts'
import { useApplication, useSave } from '@sightline/shell'
import { type AccountIds, accountQueries, accountsKey } from './account-queries.ts'

type Telling<Name extends string> = NonNullable<Parameters<ReturnType<typeof useSave>>[1]> & {
  readonly form?: { readonly fields: readonly Name[]; refuse(problems: { readonly [K in Name]?: string }): void }
}

/** Changes only the given fields of the account, so that other people's changes are kept. Reports the result. */
export function useAccountChange(params: AccountIds) {
  const { client, queries } = useApplication()
  const save = useSave()
  return async <Name extends string>(body: AccountPatch, telling: Telling<Name>): Promise<boolean> => {
    const outcome = await save(() => client.call(patchResellerAccount, { params, body }), telling)
    if (!('saved' in outcome)) return false
    queries.setQueryData(accountQueries(client, params).account.queryKey, outcome.saved)
    void queries.invalidateQueries({ queryKey: accountsKey(params.resellerId) })
    return true
  }
}
