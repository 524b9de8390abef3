import { newPackage, type SubscriptionPackage } from '@sightline/contract/subscriptions'
import { describe, expect, it } from 'vitest'
import { emptyPackage, packageBody, packageRules, packageValues, toPackageStatus } from './package-form.ts'

const pack: SubscriptionPackage = {
  subscriptionId: 12,
  subscriptionPackageId: 12,
  name: 'HD 30',
  sku: 'HD-30',
  quality: 'HD1',
  retention: 720,
  maxAmountOfCameras: 20,
  maxAmountOfDevices: null,
  available: true,
  valid: false,
  priceReference: null,
  sortOrder: 3,
}

describe('a package as it is edited', () => {
  it('is sent back as it came where nothing was changed', () => {
    const { subscriptionId: _, subscriptionPackageId: __, ...sent } = pack
    expect(packageBody(packageValues(pack), pack)).toEqual(sent)
  })

  it('of another status is offered, kept by those who have it, or retired', () => {
    const of = (status: string) => packageBody({ ...packageValues(pack), status }, pack)
    expect(of('existing')).toMatchObject({ available: false, valid: true })
    expect(of('retired')).toMatchObject({ available: false, valid: false })
    expect(toPackageStatus({ available: false, valid: true })).toBe('existing')
  })

  it('counts its days in hours; what is left empty has no limit, and a custom one has no quality', () => {
    const given = { ...emptyPackage, number: '4', name: ' Custom_10 ', quality: '', days: '', sku: '', maxCameras: '' }
    expect(newPackage.parse(packageBody(given, undefined))).toMatchObject({
      name: 'Custom_10',
      sku: null,
      quality: null,
      retention: null,
      maxAmountOfCameras: null,
    })
    expect(packageBody({ ...emptyPackage, name: 'A', days: '30' }, undefined)).toMatchObject({ retention: 720 })
  })

  it('is never added under the number of another', () => {
    const { number } = packageRules(new Set(['12']))
    expect(number?.('12', emptyPackage)).toMatch(/^A package with this number exists/)
    expect(number?.('13', emptyPackage)).toBeUndefined()
    expect(number?.('', emptyPackage)).toBe('Enter the number from your price list')
  })
})
