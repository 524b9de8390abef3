import type { Account } from '@sightline/contract/reseller-accounts'
import { type ListSearch, type ListState, listSearch, parseListState } from '@sightline/shell'
import type { AddressFormat } from '../shell/list-in-address.ts'

export const accountStatuses = ['active', 'inactive', 'suspended'] as const satisfies readonly Account['status'][]
export const accountTypes = ['regular', 'trial', 'demo'] as const satisfies readonly Account['userType'][]

/** The filters of the accounts, undefined for any, and the state of the list. */
export interface AccountListState extends ListState {
  readonly status: Account['status'] | undefined
  readonly userType: Account['userType'] | undefined
}

interface AccountListSearch extends ListSearch {
  readonly status?: Account['status'] | undefined
  readonly type?: Account['userType'] | undefined
}

const sortable = ['name', 'accountId', 'email', 'status', 'createdAt']

export const accountsInAddress = {
  parse: (search) => ({
    ...parseListState(search, sortable),
    status: accountStatuses.find((status) => status === search.status),
    userType: accountTypes.find((type) => type === search.type),
  }),
  format: ({ status, userType, ...state }): AccountListSearch => ({ ...listSearch(state), status, type: userType }),
} satisfies AddressFormat<AccountListState>
