/** The callers that try other tenants' ids one by one: one per kind of access. */
export const swappers: ReadonlySet<string> = new Set([
  'owner',
  'sub-user with every right',
  'sub-user with every right and no camera',
  'viewer of one camera',
  'viewer of one zone',
  'support, video shown',
  'API key',
  'dealer',
  'dealer of one account',
  'API key of a dealer',
  'distributor',
  'other distributor',
  'admin',
])
