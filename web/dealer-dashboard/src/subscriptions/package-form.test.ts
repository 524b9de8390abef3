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
  maxStorageBytes: null,
  available: true,
  valid: false,
  priceReference: null,
  sortOrder: 3,
}

describe('the package form', () => {
  it('sends a package unchanged if nothing was edited', () => {
    const { subscriptionId: _, subscriptionPackageId: __, ...sent } = pack
    expect(packageBody(packageValues(pack), pack)).toEqual(sent)
  })

  it('maps the status to offered, existing customers only, or retired', () => {
    const of = (status: string) => packageBody({ ...packageValues(pack), status }, pack)
    expect(of('existing')).toMatchObject({ available: false, valid: true })
    expect(of('retired')).toMatchObject({ available: false, valid: false })
    expect(toPackageStatus({ available: false, valid: true })).toBe('existing')
  })

  it('sends days as hours, and empty fields as null', () => {
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

  it('rejects the number of another package', () => {
    const { number } = packageRules(new Set(['12']))
    expect(number?.('12', emptyPackage)).toMatch(/^A package with this number already exists/)
    expect(number?.('13', emptyPackage)).toBeUndefined()
    expect(number?.('', emptyPackage)).toBe('Enter the number from your price list')
  })
})
