import { allRoutes } from '@sightline/contract/routes'
import { expect, test } from 'vitest'
import { compileReply } from './reply.ts'

test('the reply of every route compiles', () => {
  const compiled = allRoutes.map((route) => [route.name, typeof compileReply(route)])
  expect(compiled).toEqual(allRoutes.map((route) => [route.name, 'function']))
})
