import { auditGroups } from '@sightline/contract/audit-logs'
import { knownActions } from '@sightline/contract/routes/audit-actions'
import { describe, expect, it } from 'vitest'
import { actionChoices, actionLabel, dealerActions } from './action-labels.ts'

const actions = [
  { action: 'patchZone', group: 'zones' },
  { action: 'logout', group: 'signIn' },
  { action: 'deleteCurrentToken', group: 'signIn' },
  { action: 'patchResellerTheme', group: 'dealer' },
] as const

describe('the labels of audit actions', () => {
  it.each(['account', 'dealer'] as const)('exist for every action in the log of each %s', (kind) => {
    expect(knownActions.filter(({ action }) => actionLabel(action, kind) === undefined)).toEqual([])
  })

  it('make one choice of actions that are the same to a person', () => {
    expect(actionChoices({ kind: 'account', actions }, auditGroups)).toEqual([
      { text: 'Signed out', group: 'signIn', actions: ['logout', 'deleteCurrentToken'] },
      { text: 'Zone changed', group: 'zones', actions: ['patchZone'] },
    ])
  })

  it('tell dealers who acted in their own words', () => {
    expect(actionLabel('patchResellerAccount', 'account')).toBe('Account changed by provider')
    expect(actionLabel('patchResellerAccount', 'dealer')).toBe('Account changed')
  })

  it('offer dealers only actions that exist', () => {
    const known = new Set(knownActions.map(({ action }) => action))
    expect(dealerActions.filter(({ action }) => !known.has(action))).toEqual([])
    expect(actionChoices({ kind: 'dealer', actions: dealerActions }, auditGroups).length).toBeGreaterThan(20)
  })
})
