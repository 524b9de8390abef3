import { randomBytes } from 'node:crypto'
import type { Brand } from '@sightline/platform/brands'

/** A tag manager that the operator, never a brand, allows in the account portal: a third-party script (security.md §2.12). */
export interface TagManager {
  /** Google's have the form `GTM-ABC123`. */
  readonly trackingId: string
  /** Of an environment of the tag manager; both or neither. */
  readonly auth: string
  readonly preview: string
  /** Address of its script, without query. */
  readonly script: string
  /** Where tags may send to and load pictures from, besides the origin of the script. */
  readonly origins: readonly string[]
}

/** The tool with which translators translate in the page, with language `aa`. */
export interface TranslationTool {
  /** The only host of ours that it is let in on, with the port where it is not the scheme's own. */
  readonly host: string
  readonly project: string
  /** Address of its script. */
  readonly script: string
  /** Where its scripts, frames, styles and pictures come from and send to, besides the origin of the script. */
  readonly origins: readonly string[]
}

export interface ThirdPartyScripts {
  /** Undefined is off. */
  readonly tagManager: TagManager | undefined
  /** Undefined is off. */
  readonly translation: TranslationTool | undefined
}

/** What one answer of a page allows beyond what every page may do. */
export interface PolicyExtension {
  /** Of this answer alone; base64, without signs that mean something in HTML. */
  readonly nonce: string
  /** Of the tags. */
  readonly origins: readonly string[]
  /** Of the translation tool, which writes HTML and styles; empty where it is not let in. */
  readonly toolOrigins: readonly string[]
}

/** Pages that a host shows inside itself: nobody was asked there whether statistics may be collected. */
const EMBEDDED = /^\/settings(?:\/|$)/

export const getTranslationTool = (brand: Brand, { translation }: ThirdPartyScripts): TranslationTool | undefined =>
  translation?.host === brand.host ? translation : undefined

/** Undefined where no third-party script may run: the operator allows none, or the page is embedded. */
export function getPolicyExtension(path: string, brand: Brand, site: ThirdPartyScripts): PolicyExtension | undefined {
  const { tagManager } = site
  const translation = getTranslationTool(brand, site)
  if (EMBEDDED.test(path) || (tagManager === undefined && translation === undefined)) return undefined
  return {
    nonce: randomBytes(18).toString('base64'),
    origins: originsOf(tagManager),
    toolOrigins: originsOf(translation),
  }
}

const originsOf = (tool: TagManager | TranslationTool | undefined): readonly string[] =>
  tool === undefined ? [] : [...new Set([new URL(tool.script).origin, ...tool.origins])]
