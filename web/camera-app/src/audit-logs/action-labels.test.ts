import { auditGroups } from '@sightline/contract/audit-logs'
import { describe, expect, it } from 'vitest'
import { actionChoices, actionLabel } from './action-labels.ts'

const known = [
  { action: 'patchZone', group: 'zones' },
  { action: 'logout', group: 'signIn' },
  { action: 'deleteCurrentToken', group: 'signIn' },
  { action: 'patchResellerTheme', group: 'dealer' },
] as const

describe('action labels', () => {
  it('combine actions that mean the same to users into one choice', () => {
    expect(actionChoices(known, auditGroups)).toEqual([
      { text: 'Signed out', group: 'signIn', actions: ['logout', 'deleteCurrentToken'] },
      { text: 'Zone changed', group: 'zones', actions: ['patchZone'] },
    ])
  })

  it('do not exist for actions that only a dealer’s log contains', () => {
    expect(actionLabel('patchResellerTheme')).toBeUndefined()
  })
})
