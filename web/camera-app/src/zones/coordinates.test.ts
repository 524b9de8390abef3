import { describe, expect, it } from 'vitest'
import {
  coordinateProblem,
  coordinateText,
  mapProgramAddress,
  parseCoordinates,
  placeTexts,
  readCoordinates,
} from './coordinates.ts'

describe('typed coordinates', () => {
  it('are two decimal degrees, with a comma or a point', () => {
    expect(readCoordinates('52.370216', ' 4,895168 ')).toEqual({ latitude: 52.370_216, longitude: 4.895_168 })
    expect(readCoordinates('-90', '+180')).toEqual({ latitude: -90, longitude: 180 })
  })

  it('are none if both fields are empty, and incomplete if one is', () => {
    expect(readCoordinates('', ' ')).toBe('none')
    expect(readCoordinates('52', '')).toBeUndefined()
    expect(readCoordinates('', '4')).toBeUndefined()
  })

  it.each([
    ['latitude', '90.1'],
    ['latitude', '-91'],
    ['longitude', '180.5'],
    ['longitude', 'north'],
    ['latitude', '1e1'],
    ['latitude', '0x10'],
  ] as const)('with the %s %s are invalid, and the field says what is expected', (which, text) => {
    expect(coordinateProblem(which, text)).toMatch(/^Enter decimal degrees from -/)
    expect(which === 'latitude' ? readCoordinates(text, '0') : readCoordinates('0', text)).toBeUndefined()
  })

  it('can be pasted into one field in the format of a map', () => {
    expect(parseCoordinates('52.37022, 4.89517')).toEqual({ latitude: 52.370_22, longitude: 4.895_17 })
    expect(parseCoordinates('-33.8688 151.2093')).toEqual({ latitude: -33.8688, longitude: 151.2093 })
    expect(parseCoordinates('52.37022')).toBeUndefined()
    expect(parseCoordinates('152.37022, 4.89517')).toBeUndefined()
  })
})

describe('displayed coordinates', () => {
  it('say north or south and east or west', () => {
    expect(placeTexts({ latitude: 52.370_216, longitude: 4.895_168 })).toEqual(['52.37022° N', '4.89517° E'])
    expect(placeTexts({ latitude: -33.8688, longitude: -70.5 })).toEqual(['33.86880° S', '70.50000° W'])
  })

  it('are rounded in a field', () => {
    expect(coordinateText(52.370_216_000_01)).toBe('52.370216')
    expect(coordinateText(null)).toBe('')
  })

  it('open in a map app with a geo URL', () => {
    expect(mapProgramAddress({ latitude: 52.5, longitude: -4 })).toBe('geo:52.5,-4')
  })
})
