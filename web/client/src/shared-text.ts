import type english from '../locales/en.json'

/** The texts that every app has a translation of: errors, rules of fields, and what the kit says. */
export type SharedText = keyof typeof english
