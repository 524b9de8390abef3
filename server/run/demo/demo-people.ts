import { allPermissions, type Permission, type Right, type StaffLevel } from '@sightline/contract/rights'

/** Fixed by the specification §9: self-service goes through this reseller. */
export const DEMO_RESELLER_ID = 255

export const demoZones = ['Outside', 'Shop', 'Offices'] as const

export interface DemoIdentity {
  readonly email: string
  readonly firstName: string
  readonly lastName: string
  /** Shown to the person who starts the demo. */
  readonly what: string
}

export interface DemoUser extends DemoIdentity {
  readonly rights: readonly Right[]
  readonly zone?: (typeof demoZones)[number]
}

export interface DemoStaff extends DemoIdentity {
  readonly level: StaffLevel
  readonly permissions: readonly Permission[]
}

export const owner: DemoUser = {
  email: 'owner@demo.example',
  firstName: 'Olivia',
  lastName: 'Owner',
  what: 'account owner',
  rights: [],
}
/** A guard watches the outdoor cameras, live and recorded, and can't do anything else. */
export const guard: DemoUser = {
  email: 'guard@demo.example',
  firstName: 'Gabriel',
  lastName: 'Guard',
  what: 'guard with access to two cameras',
  rights: ['playback'],
  zone: 'Outside',
}
export const other: DemoUser = {
  email: 'other@demo.example',
  firstName: 'Oscar',
  lastName: 'Other',
  what: 'owner of another account',
  rights: [],
}
/** Of the second brand: users of the first must never learn of this account. */
export const guest: DemoUser = {
  email: 'hotel@demo.example',
  firstName: 'Hanna',
  lastName: 'Hotel',
  what: 'owner of an account of another reseller',
  rights: [],
}

export const staff: readonly DemoStaff[] = [
  {
    email: 'support@demo.example',
    firstName: 'Sofia',
    lastName: 'Support',
    what: 'support staff of the reseller',
    level: 'reseller',
    permissions: ['viewAccounts', 'generateAccessToken'],
  },
  {
    email: 'dealer@demo.example',
    firstName: 'Daan',
    lastName: 'Dealer',
    what: 'dealer of the reseller',
    level: 'reseller',
    permissions: allPermissions,
  },
  {
    email: 'distributor@demo.example',
    firstName: 'Dina',
    lastName: 'Distributor',
    what: 'distributor of both resellers',
    level: 'distributor',
    permissions: allPermissions,
  },
  {
    email: 'admin@demo.example',
    firstName: 'Adam',
    lastName: 'Admin',
    what: 'administrator',
    level: 'admin',
    permissions: allPermissions,
  },
]

export const demoPeople: readonly DemoIdentity[] = [owner, guard, other, guest, ...staff]
