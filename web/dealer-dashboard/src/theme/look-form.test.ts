import { providerTheme } from '@sightline/contract/theme'
import { describe, expect, it } from 'vitest'
import { contrastRows } from './contrast-rows.ts'
import { lookPatch, lookRules, lookValues, shownSize } from './look-form.ts'

describe('the brand form', () => {
  const saved = lookValues({ ...providerTheme, colors: { primary: '#0b6e6e', secondary: '#aa0000' } })

  it('sends only changes, and null for a removed picture or color', () => {
    expect(lookPatch(saved, saved)).toEqual({})
    expect(lookPatch(saved, { ...saved, primary: '#FF0000' })).toEqual({ colors: { primary: '#ff0000' } })
    expect(lookPatch(saved, { ...saved, logo: '', secondary: '', companyName: ' Blue ' })).toEqual({
      logo: null,
      companyName: 'Blue',
      colors: { secondary: null },
    })
  })

  it('accepts only six-digit colors, and requires a name', () => {
    expect(lookRules.primary?.('#0b6e6e', saved)).toBeUndefined()
    expect(lookRules.primary?.('red', saved)).toMatch(/^Enter a color/)
    expect(lookRules.primary?.('', saved)).toMatch(/^Enter a color/)
    expect(lookRules.secondary?.('', saved)).toBeUndefined()
    expect(lookRules.companyName?.(' ', saved)).toBe('Name is required')
  })

  it('shows a logo 32 pixels high, but at most 400 wide', () => {
    expect(shownSize({ width: 800, height: 200 })).toEqual({ width: 128, height: 32 })
    expect(shownSize({ width: 2000, height: 100 })).toEqual({ width: 400, height: 20 })
  })
})

describe('the contrast of a brand', () => {
  it('is always sufficient: a pale color is adjusted for text but not for controls', () => {
    const [buttonText, links, controls] = contrastRows({ primary: '#ffee00' })
    expect(buttonText?.light.ratio).toBeGreaterThanOrEqual(4.5)
    expect(buttonText?.light.adjusted).toBeUndefined()
    expect(links?.light.ratio).toBeGreaterThanOrEqual(4.5)
    expect(links?.light.adjusted).toMatch(/^#[0-9a-f]{6}$/)
    expect(controls?.dark).toMatchObject({ adjusted: undefined })
  })

  it('of the secondary color is shown only if there is one', () => {
    expect(contrastRows({ primary: '#0b6e6e' }).map(({ name }) => name)).toEqual(['buttonText', 'links', 'controls'])
    expect(contrastRows({ primary: '#0b6e6e', secondary: '#aa0000' })).toHaveLength(4)
  })
})
