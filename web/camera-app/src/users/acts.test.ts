import { allRoutes } from '@sightline/contract/routes'
import { streamRules } from '@sightline/contract/streams'
import { expect, test } from 'vitest'
import { everydayActs } from './acts.ts'

const acts = everydayActs.flatMap((group) => group.acts)

test('every listed action is an API call for members, or a stream', () => {
  const calls = allRoutes.filter(({ access, callers }) => access !== 'public' && callers !== 'staff')
  const names = new Set([...calls.map(({ name }) => name), ...Object.keys(streamRules)])
  expect(acts.filter(({ operation }) => !names.has(operation))).toEqual([])
})

test('every action on one camera is a call with a camera id', () => {
  const ofCamera = acts.filter((act) => act.ofCamera === true && !(act.operation in streamRules))
  const naming = allRoutes.filter(({ ids }) => Object.values(ids).includes('camera')).map(({ name }) => name)
  expect(naming).toEqual(expect.arrayContaining(ofCamera.map(({ operation }) => operation)))
})
