import { isDerived, newExport } from '@sightline/contract/exports'
import { expect, test } from 'vitest'
import { findWishFault, MAX_NAME, MAX_WATERMARK, noWish, passwordStrength, toNewExport } from './export-wish.ts'

const span = { from: Date.parse('2026-11-26T10:00:00Z'), till: Date.parse('2026-11-26T10:05:00Z') }

test('one camera can be an MP4 file without a password', () => {
  const wish = { ...noWish, format: 'mp4', password: 'left over from before', reason: '  ' } as const
  const body = toNewExport({ cameraIds: [7], span }, wish)
  expect(body).toEqual({
    cameraIds: [7],
    from: '2026-11-26T10:00:00.000Z',
    till: '2026-11-26T10:05:00.000Z',
    format: 'mp4',
  })
  expect(newExport.safeParse(body).success).toBe(true)
})

test('several cameras make a ZIP file, whatever was chosen for one', () => {
  const wish = { ...noWish, format: 'mp4', password: 'correct horse', reason: ' Theft ' } as const
  const body = toNewExport({ cameraIds: [7, 8], span }, wish)
  expect(body).toMatchObject({ format: 'zip', password: 'correct horse', reason: 'Theft' })
  expect(newExport.safeParse(body).success).toBe(true)
})

test('text in the pictures is sent only if it is wanted, and makes another file than the original', () => {
  expect(isDerived({ overlay: false, watermark: '  ', logo: false, speed: 1 })).toBe(false)
  expect(toNewExport({ cameraIds: [7], span }, { ...noWish, watermark: '  ' })).not.toHaveProperty('watermark')
  const wish = { ...noWish, overlay: true, watermark: ' Copy for Acme ' }
  expect(isDerived(wish)).toBe(true)
  const body = toNewExport({ cameraIds: [7], span }, wish)
  expect(body).toMatchObject({ overlay: true, watermark: 'Copy for Acme' })
  expect(newExport.safeParse(body).success).toBe(true)
  expect(newExport.safeParse({ ...body, watermark: 'a'.repeat(MAX_WATERMARK + 1) }).success).toBe(false)
  expect(newExport.safeParse({ ...body, watermark: 'a'.repeat(MAX_WATERMARK) }).success).toBe(true)
})

test('the logo is sent only if it is wanted, and makes another file than the original', () => {
  expect(toNewExport({ cameraIds: [7], span }, noWish)).not.toHaveProperty('logo')
  const wish = { ...noWish, logo: true }
  expect(isDerived(wish)).toBe(true)
  expect(toNewExport({ cameraIds: [7], span }, wish)).toMatchObject({ logo: true })
})

test('a speed is sent only if it isn’t that of the recording, and makes another file than the original', () => {
  expect(toNewExport({ cameraIds: [7], span }, noWish)).not.toHaveProperty('speed')
  const wish = { ...noWish, speed: 8 } as const
  expect(isDerived(wish)).toBe(true)
  const body = toNewExport({ cameraIds: [7], span }, wish)
  expect(body).toMatchObject({ speed: 8 })
  expect(newExport.safeParse(body).success).toBe(true)
})

test('a name is trimmed, and refused with characters that can’t be seen, as the server does', () => {
  expect(toNewExport({ cameraIds: [7], span }, { ...noWish, name: '  ' })).not.toHaveProperty('name')
  const named = { ...noWish, name: ' Break-in at O’Brien’s, Nov 26 ' }
  expect(findWishFault(named)).toBeUndefined()
  const body = toNewExport({ cameraIds: [7], span }, named)
  expect(body.name).toBe('Break-in at O’Brien’s, Nov 26')
  expect(newExport.safeParse(body).success).toBe(true)
  for (const name of ['report\u202Egpj.exe', 'line\nbreak']) {
    expect(findWishFault({ ...noWish, name })).toBe('Remove control characters and hidden characters')
    expect(newExport.safeParse({ ...body, name }).success).toBe(false)
  }
  expect(newExport.safeParse({ ...body, name: 'a'.repeat(MAX_NAME + 1) }).success).toBe(false)
  expect(newExport.safeParse({ ...body, name: 'a'.repeat(MAX_NAME) }).success).toBe(true)
})

test('a password is optional, but not a short one', () => {
  expect(findWishFault(noWish)).toBeUndefined()
  expect(findWishFault({ ...noWish, password: 'short' })).toBe('Use at least 8 characters')
  expect(findWishFault({ ...noWish, password: 'eight ch' })).toBeUndefined()
  expect(findWishFault({ ...noWish, format: 'mp4', password: 'short' })).toBeUndefined()
})

test.each([
  ['aaaaaaaaaaaa', 'weak'],
  ['password', 'weak'],
  ['12345678901', 'weak'],
  ['Kx7 pt-Qm2', 'fair'],
  ['gravel lamp ninety forest', 'strong'],
] as const)('the hint about %s is %s', (password, strength) => {
  expect(passwordStrength(password)).toBe(strength)
})
