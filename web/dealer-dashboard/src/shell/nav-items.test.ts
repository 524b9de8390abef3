import { allModules, allPermissions, type Permission } from '@sightline/contract/rights'
import type { OwnStaff } from '@sightline/contract/staff'
import { describe, expect, it } from 'vitest'
import { homePath, isActive, visibleNavItems } from './nav-items.ts'

const switched = <Name extends string>(names: readonly Name[], on: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, on.includes(name)])) as Record<Name, boolean>

const staff = (given: Partial<OwnStaff>, permissions: readonly Permission[] = allPermissions): OwnStaff => ({
  level: 'reseller',
  resellerId: 255,
  distributorId: 7,
  organisationName: 'Somebody',
  permissions: switched(allPermissions, permissions),
  modules: switched(allModules, []),
  ...given,
})
const paths = (own: OwnStaff) => visibleNavItems(own).map(({ path }) => path)

describe('the menu of the Dealer Dashboard', () => {
  it('shows reseller staff the reseller’s pages, and reports and brand only with their modules', () => {
    const off = paths(staff({}))
    const always = ['accounts', 'insights', 'packages', 'firmware', 'staff', 'api-keys', 'audit-log'].map(
      (page) => `/resellers/255/${page}`,
    )
    expect(off).toEqual(always)
    const modules = switched(allModules, ['reports', 'whiteLabel'])
    expect(paths(staff({ modules })).filter((path) => !off.includes(path))).toEqual([
      '/resellers/255/reports',
      '/resellers/255/brand',
    ])
  })

  it('shows support only accounts', () => {
    expect(paths(staff({}, ['viewAccounts', 'generateAccessToken']))).toEqual(['/resellers/255/accounts'])
  })

  it('shows a distributor its resellers and an administrator the distributors', () => {
    const distributor = staff({ level: 'distributor', resellerId: null })
    expect(paths(distributor)).toEqual(['/distributors/7/resellers', '/distributors/7/staff'])
    const admin = staff({ level: 'admin', resellerId: null, distributorId: null })
    expect(paths(admin)).toEqual(['/distributors', '/administrators', '/jobs'])
  })

  it('leads staff without any permission to a page that says so', () => {
    expect(homePath(staff({}, []))).toBe('/nothing-for-you')
  })

  it('marks the one item that contains the current page, also below another level', () => {
    const at = (own: OwnStaff, pathname: string) =>
      visibleNavItems(own)
        .filter((place) => isActive(place, pathname))
        .map((p) => p.path)
    const distributor = staff({ level: 'distributor', resellerId: null })
    expect(at(distributor, '/resellers/255/accounts/9')).toEqual(['/distributors/7/resellers'])
    expect(at(distributor, '/distributors/7/staff/4')).toEqual(['/distributors/7/staff'])
    expect(at(staff({}), '/resellers/255/accounts/9')).toEqual(['/resellers/255/accounts'])
    expect(at(staff({}), '/resellers/255/accounts-of-old')).toEqual([])
  })
})
