import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type RunningProduct, startProduct } from '../../running-product.ts'
import { basicModules } from './basic.ts'
import { configModules } from './config.ts'
import { type Fixture, openFixture, type TestModule } from './fixture.ts'
import { logoutModules } from './logout.ts'

/**
 * Three test plans of the OpenID Foundation's conformance suite: each of their modules is a test here with the module's
 * name, against the whole running product, with independent client libraries. Where a module registers a client itself, the
 * test uses one that an operator registered, because there is no dynamic registration.
 */
const plans: Readonly<Record<string, Readonly<Record<string, TestModule>>>> = {
  'oidcc-config-certification-test-plan': configModules,
  'oidcc-rp-initiated-logout-certification-test-plan': logoutModules,
  'oidcc-basic-certification-test-plan': basicModules,
}

let product: RunningProduct
let fixture: Fixture
beforeAll(async () => {
  product = await startProduct({ cameras: false })
  fixture = await openFixture(product)
})
afterAll(() => product[Symbol.asyncDispose]())

describe.each(Object.entries(plans))('%s', (_, modules) => {
  test.each(Object.entries(modules).map(([name, module]) => ({ name, ...module })))('$name: $rule', ({ prove }) =>
    prove(fixture),
  )
})

test('the product logs no id token', () => {
  expect(product.output()).not.toMatch(/eyJ[\w-]+\.eyJ/)
})
