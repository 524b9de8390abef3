import type later from '../later/locales/en.json'
import type english from '../locales/en.json'

/** The texts of kit and shell, which every app has a translation of from the start. */
export type SharedText = keyof typeof english

/** What may be said later than on a first screen: errors, rules of fields, farewells. */
export type LaterText = keyof typeof later
