import { randomBytes } from 'node:crypto'
import type { Brand } from '@sightline/platform/brands'

/**
 * A tag manager in the account portal, allowed by the operator, never by a brand: a third-party script (security.md
 * §2.12).
 */
export interface TagManager {
  /** Google's have the form `GTM-ABC123`. */
  readonly trackingId: string
  /** An environment of the tag manager; both or neither. */
  readonly auth: string
  readonly preview: string
  /** Address of its script, without query. */
  readonly script: string
  /** Where tags may send data and load pictures from, in addition to the origin of the script. */
  readonly origins: readonly string[]
}

/** The in-page translation tool, with language `aa`. */
export interface TranslationTool {
  /** The only host on which it is allowed, with the port unless it is the default. */
  readonly host: string
  readonly project: string
  /** Address of its script. */
  readonly script: string
  /** The sources and targets of its scripts, frames, styles and pictures, in addition to the origin of the script. */
  readonly origins: readonly string[]
}

export interface ThirdPartyScripts {
  /** Undefined means off. */
  readonly tagManager: TagManager | undefined
  /** Undefined means off. */
  readonly translation: TranslationTool | undefined
}

/** Additional permissions of one response. */
export interface PolicyExtension {
  /** Only for this response; base64, without characters that are special in HTML. */
  readonly nonce: string
  /** Of the tags. */
  readonly origins: readonly string[]
  /** Of the translation tool, which writes HTML and styles; empty if it isn't allowed. */
  readonly toolOrigins: readonly string[]
}

/** Embedded pages: their users were not asked for consent to statistics. */
const EMBEDDED = /^\/settings(?:\/|$)/

export const getTranslationTool = (brand: Brand, { translation }: ThirdPartyScripts): TranslationTool | undefined =>
  translation?.host === brand.host ? translation : undefined

/** Undefined if third-party scripts aren't allowed: by the operator, or because the page is embedded. */
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
