/** A violation planted into a copy of the tree, and the check that must find it. */
export interface PlantedViolation {
  /** The check's name in list.ts. */
  readonly check: string
  /** The rule's name as its checker prints it; for our own checks, words of the message. */
  readonly rule: string
  /** What else the same line of the report must contain: the file. */
  readonly names: string
  /** Files to add to the copy, by path. */
  readonly files?: Readonly<Record<string, string>>
  /** Changes an existing file: `change` returns its new content. */
  readonly edit?: { readonly file: string; readonly change: (text: string) => string }
}

/** Represents a secret in the data folder of a running product. */
export const SECRET_OF_IGNORED = 'planted-cookie-key'

const faulty = `import { x } from '../nowhere.ts'\nexport const   planted: number = '${SECRET_OF_IGNORED}'\n// ${['TO', 'DO'].join('')}: later, see docs/${SECRET_OF_IGNORED}.md\n`

/** Folders that git ignores anywhere. */
const ignoredFolder = (inside: string): string => `${inside}${inside === '' ? '' : '/'}data`
const sources = ['', 'contract/src', 'server/edge/src', 'web/kit/src', 'web/camera-app/src', 'web/dealer-dashboard/src']

/** Files that git ignores, each with content that some check would report. */
export const ignoredFiles: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    [...sources, 'tests', 'tools'].map((folder) => [`${ignoredFolder(folder)}/planted-ignored.ts`, faulty]),
  ),
  [`${ignoredFolder('')}/planted-ignored/secrets.json`]: `{"cookieKey":   "${SECRET_OF_IGNORED}"}`,
  [`${ignoredFolder('')}/planted-ignored.md`]: `[a page](${SECRET_OF_IGNORED}.md)\n\n\`\`\`ts\nexport const planted: number = '${SECRET_OF_IGNORED}'\n\`\`\`\n`,
  [`${ignoredFolder('web/kit')}/locales/en.json`]: `{ "planted": "${SECRET_OF_IGNORED}" }`,
  [`${ignoredFolder('web/kit')}/locales/de.json`]: '{}',
}
