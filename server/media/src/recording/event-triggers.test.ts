import { expect, test } from 'vitest'
import { EventTriggers } from './event-triggers.ts'

test('any number of events that users add keeps the memory bounded, and ends no event that goes on', () => {
  const triggers = new EventTriggers()
  triggers.begin('motion', { at: 10_000_000 })
  for (let at = 9_000_000; at > 0; at -= 1000) triggers.begin(`added ${at}`, { at, endsAt: at })
  expect(triggers.isWanted(9_000_000)).toBe(false)
  expect([1000, 100_000, 20_000_000].map((time) => triggers.isWanted(time))).toEqual([true, true, true])
})

test('an event is recorded from the chosen time before it, which applies to events that begin later', () => {
  const triggers = new EventTriggers()
  triggers.begin('motion', { at: 100_000, endsAt: 100_000 })
  triggers.plan(20_000)
  triggers.begin('audio', { at: 200_000, endsAt: 200_000 })
  expect([94_000, 96_000, 179_000, 181_000].map((time) => triggers.isWanted(time))).toEqual([false, true, false, true])
})
