import { describe, expect, test } from 'vitest'
import { ageText, isFrozen, liveBadge } from './live-badge.ts'

describe('the badge of a picture', () => {
  test('only live pictures on time are labeled live', () => {
    const phases = ['connecting', 'playing', 'delayed', 'paused', 'reconnecting', 'offline', 'ended'] as const
    const live = phases.filter((phase) => liveBadge(phase, 'live').text === 'Live')
    expect(live).toEqual(['playing'])
    expect(phases.filter((phase) => liveBadge(phase, 'playback').text === 'Live')).toEqual([])
  })
  test('a late or frozen picture shows its age', () => {
    expect(liveBadge('delayed', 'live').withAge).toBe(true)
    expect(liveBadge('reconnecting', 'live').withAge).toBe(true)
    expect(liveBadge('offline', 'live').withAge).toBe(true)
    expect(isFrozen('offline')).toBe(true)
    expect(isFrozen('playing')).toBe(false)
  })
  test('where footage ends it says at which end', () => {
    expect(liveBadge('ended', 'playback').text).toBe('End of footage')
    expect(liveBadge('ended', 'backward').text).toBe('Start of footage')
  })
  test('a camera without a connection because of private mode is called private, without an age', () => {
    expect(liveBadge('offline', 'live', true)).toEqual({ text: 'Private', mood: 'neutral', withAge: false })
    expect(liveBadge('playing', 'playback', true).text).toBe('Recorded')
  })
  test.each([
    [12_000, '12 sec'],
    [180_000, '3 min'],
    [3 * 3_600_000, '3 hr'],
    [49 * 3_600_000, '2 days'],
    [-500, '0 sec'],
  ])('%i ms is shown as %s', (ms, text) => {
    expect(ageText(ms, 'en')).toBe(text)
  })
})
