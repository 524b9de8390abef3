import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type RunningProduct, startProduct } from '../../running-product.ts'
import { basicModules } from './basic.ts'
import { configModules } from './config.ts'
import { type Fixture, openFixture, type TestModule } from './fixture.ts'
import { logoutModules } from './logout.ts'

/**
 * The OpenID Foundation's conformance suite asks the rules of three of its test plans by modules; here each is a test of
 * ours by the module's name, against the whole product as it runs, by clients that know nothing of us. What a module asks
 * of clients that register themselves is asked of one that an operator registered: dynamic registration is not offered.
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

test('the product writes no id token into its log', () => {
  expect(product.output()).not.toMatch(/eyJ[\w-]+\.eyJ/)
})
