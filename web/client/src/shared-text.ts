import type later from '../later/locales/en.json'
import type english from '../locales/en.json'

/** The texts of kit and shell. Every app has their translations from the start. */
export type SharedText = keyof typeof english

/** Texts that can appear only after a first screen: errors, validation rules, sign-out messages. */
export type LaterText = keyof typeof later
