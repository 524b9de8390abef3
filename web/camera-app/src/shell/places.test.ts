import { allRights, type UserRights } from '@sightline/contract/rights'
import { describe, expect, it } from 'vitest'
import { isIn, places, type Viewer } from './places.ts'

const none = Object.fromEntries(allRights.map((right) => [right, false])) as unknown as UserRights
const shownTo = (viewer: Viewer) => places.filter((place) => place.serves(viewer)).map((place) => place.path)

describe('the menu of the Web App', () => {
  it('shows cameras and zones to everybody, also while nothing is known of the person', () => {
    expect(shownTo({ rights: undefined, isOwner: false })).toEqual(['', '/zones'])
    expect(shownTo({ rights: none, isOwner: false })).toEqual(['', '/zones'])
  })

  it('shows users and the audit log with the right to user settings', () => {
    expect(shownTo({ rights: { ...none, viewUserSettings: true }, isOwner: false })).toEqual([
      '',
      '/zones',
      '/users',
      '/audit-log',
    ])
  })

  it('shows everything to the owner', () => {
    expect(shownTo({ rights: none, isOwner: true })).toHaveLength(places.length)
  })

  it('marks the one place that an address lies in', () => {
    const at = (pathname: string) => places.filter((place) => isIn(place, pathname)).map((place) => place.path)
    expect(at('/')).toEqual([''])
    expect(at('/cameras/7')).toEqual([''])
    expect(at('/users/7/rights')).toEqual(['/users'])
    expect(at('/users-of-old')).toEqual([])
  })
})
