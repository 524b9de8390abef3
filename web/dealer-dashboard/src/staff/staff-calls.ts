import type { Client, Page, PageWish } from '@sightline/client'
import type { Rule } from '@sightline/contract/rights'
import {
  addDistributorStaff,
  addProviderStaff,
  addResellerStaff,
  deleteDistributorStaffUser,
  deleteProviderStaffUser,
  deleteResellerStaffUser,
  getDistributorStaff,
  getDistributorStaffUser,
  getProviderStaff,
  getProviderStaffUser,
  getResellerStaff,
  getResellerStaffUser,
  type NewStaffUser,
  patchDistributorStaffUser,
  patchProviderStaffUser,
  patchResellerStaffUser,
  type StaffPatch,
  type StaffUser,
} from '@sightline/contract/staff'

/** The organization of the staff. Each of the three kinds has its own calls with the same requests and responses. */
export type StaffOrganisation =
  | { readonly kind: 'reseller'; readonly resellerId: string }
  | { readonly kind: 'distributor'; readonly distributorId: string }
  | { readonly kind: 'provider' }

interface StaffCalls {
  /** The query key of the staff. */
  readonly key: readonly string[]
  /** The address of the list. */
  readonly home: string
  /** Users who may make this call can see the staff. */
  readonly shownBy: Rule
  list(wish: PageWish, signal: AbortSignal): Promise<Page<readonly StaffUser[]>>
  get(userId: string, signal: AbortSignal): Promise<StaffUser>
  add(body: NewStaffUser): Promise<StaffUser>
  patch(userId: number, body: StaffPatch): Promise<StaffUser>
  remove(userId: number): Promise<unknown>
}

function ofReseller(client: Client, params: { readonly resellerId: string }): StaffCalls {
  return {
    key: ['staff', 'reseller', params.resellerId],
    home: `/resellers/${params.resellerId}/staff`,
    shownBy: getResellerStaff,
    list: (wish, signal) => client.page(getResellerStaff, { params }, wish, { signal }),
    get: (userId, signal) => client.call(getResellerStaffUser, { params: { ...params, userId } }, { signal }),
    add: (body) => client.call(addResellerStaff, { params, body }),
    patch: (userId, body) => client.call(patchResellerStaffUser, { params: { ...params, userId }, body }),
    remove: (userId) => client.call(deleteResellerStaffUser, { params: { ...params, userId } }),
  }
}

function ofDistributor(client: Client, params: { readonly distributorId: string }): StaffCalls {
  return {
    key: ['staff', 'distributor', params.distributorId],
    home: `/distributors/${params.distributorId}/staff`,
    shownBy: getDistributorStaff,
    list: (wish, signal) => client.page(getDistributorStaff, { params }, wish, { signal }),
    get: (userId, signal) => client.call(getDistributorStaffUser, { params: { ...params, userId } }, { signal }),
    add: (body) => client.call(addDistributorStaff, { params, body }),
    patch: (userId, body) => client.call(patchDistributorStaffUser, { params: { ...params, userId }, body }),
    remove: (userId) => client.call(deleteDistributorStaffUser, { params: { ...params, userId } }),
  }
}

function ofProvider(client: Client): StaffCalls {
  return {
    key: ['staff', 'provider'],
    home: '/administrators',
    shownBy: getProviderStaff,
    list: (wish, signal) => client.page(getProviderStaff, {}, wish, { signal }),
    get: (userId, signal) => client.call(getProviderStaffUser, { params: { userId } }, { signal }),
    add: (body) => client.call(addProviderStaff, { body }),
    patch: (userId, body) => client.call(patchProviderStaffUser, { params: { userId }, body }),
    remove: (userId) => client.call(deleteProviderStaffUser, { params: { userId } }),
  }
}

export function staffCalls(client: Client, of: StaffOrganisation): StaffCalls {
  switch (of.kind) {
    case 'reseller':
      return ofReseller(client, of)
    case 'distributor':
      return ofDistributor(client, of)
    case 'provider':
      return ofProvider(client)
  }
}
