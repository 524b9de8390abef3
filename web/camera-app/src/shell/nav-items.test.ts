import { allModules, allRights, getMemberDenyReason, type Member, type Right } from '@sightline/contract/rights'
import { toMember } from '@sightline/contract/users'
import { describe, expect, it } from 'vitest'
import { isActive, visibleNavItems } from './nav-items.ts'

const OWNER = 7

const member = (userId: number, on: readonly Right[] = []): Member =>
  toMember({
    user: { userId, accountId: OWNER, email: 'someone@demo.example', firstName: 'Some', lastName: 'One' },
    rights: Object.fromEntries(allRights.map((right) => [right, on.includes(right)])) as Record<Right, boolean>,
    flags: {
      userSelfServiceManagement: false,
      preventEditUserDetails: false,
      webAppBarred: false,
      agreementOwed: false,
      standing: {
        accountStatus: 'active',
        visitor: false,
        userType: 'regular',
        modules: Object.fromEntries(allModules.map((module) => [module, true])) as Record<
          (typeof allModules)[number],
          boolean
        >,
        scopes: ['read', 'write'],
        support: null,
      },
    },
  })
const ofMandatory: readonly Right[] = ['LiveCamera', 'CameraView', 'ZonesView']
const shownTo = (who: Member) =>
  visibleNavItems((rule) => getMemberDenyReason(rule, who) === undefined).map(({ path }) => path)

describe('the menu of the Web App', () => {
  it('has only cameras until the user’s rights are known', () => {
    expect(visibleNavItems(() => undefined).map(({ path }) => path)).toEqual([''])
  })

  it('shows cameras, recorders and zones to every user', () => {
    expect(shownTo(member(8, ofMandatory))).toEqual(['', '/multiview', '/recorders', '/zones'])
  })

  it('shows users, profiles and the audit log with the right to view user settings', () => {
    const seeing = member(8, [...ofMandatory, 'viewUserSettings'])
    expect(shownTo(seeing)).toEqual(['', '/multiview', '/recorders', '/zones', '/users', '/profiles', '/audit-log'])
  })

  it('shows storage with its right, and reports only to the owner', () => {
    const counting = member(8, [...ofMandatory, 'storageUsage', 'logFiles'])
    expect(shownTo(counting)).toEqual(['', '/multiview', '/recorders', '/zones', '/storage'])
    expect(shownTo(member(OWNER))).toContain('/reports')
  })

  it('shows everything to the owner, and to support without video everything except multiview, keys and reports', () => {
    const owner = member(OWNER)
    expect(shownTo(owner)).toHaveLength(10)
    const support = { ...owner, support: { staffId: 9, staffName: 'Sam Support', video: 'hidden' as const } }
    expect(shownTo(support)).toEqual(
      shownTo(owner).filter((path) => !['/api-keys', '/multiview', '/reports'].includes(path)),
    )
  })

  it('marks the one item that contains the current page', () => {
    const at = (pathname: string) =>
      visibleNavItems(() => true)
        .filter((place) => isActive(place, pathname))
        .map((place) => place.path)
    expect(at('/')).toEqual([''])
    expect(at('/cameras/7')).toEqual([''])
    expect(at('/users/7/rights')).toEqual(['/users'])
    expect(at('/users-of-old')).toEqual([])
  })
})
