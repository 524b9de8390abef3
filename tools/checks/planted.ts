/** A violation put into a copy of the tree, and who must find it there. */
export interface PlantedViolation {
  /** Name in list.ts. */
  readonly check: string
  /** Name of the rule as its checker prints it; for a check of our own, words of its message. */
  readonly rule: string
  /** What else must stand in the same line of the report: the file it is in. */
  readonly names: string
  /** Written into the copy, by path. */
  readonly files?: Readonly<Record<string, string>>
  /** Changes a file that is there; what it returns replaces it. */
  readonly edit?: { readonly file: string; readonly change: (text: string) => string }
}

/** Stands for what a running product keeps in its data folder. */
export const SECRET_OF_IGNORED = 'planted-cookie-key'

const faulty = `import { x } from '../nowhere.ts'\nexport const   planted: number = '${SECRET_OF_IGNORED}'\n// ${['TO', 'DO'].join('')}: later, see docs/${SECRET_OF_IGNORED}.md\n`

/** Folders that git ignores wherever they are. */
const ignoredFolder = (inside: string): string => `${inside}${inside === '' ? '' : '/'}data`
const sources = ['', 'contract/src', 'server/edge/src', 'web/kit/src', 'web/camera-app/src', 'web/dealer-dashboard/src']

/** Files that git ignores, each with something that some check would report if it read it. */
export const ignoredFiles: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    [...sources, 'tests', 'tools'].map((folder) => [`${ignoredFolder(folder)}/planted-ignored.ts`, faulty]),
  ),
  [`${ignoredFolder('')}/planted-ignored/secrets.json`]: `{"cookieKey":   "${SECRET_OF_IGNORED}"}`,
  [`${ignoredFolder('')}/planted-ignored.md`]: `[a page](${SECRET_OF_IGNORED}.md)\n\n\`\`\`ts\nexport const planted: number = '${SECRET_OF_IGNORED}'\n\`\`\`\n`,
  [`${ignoredFolder('web/kit')}/locales/en.json`]: `{ "planted": "${SECRET_OF_IGNORED}" }`,
  [`${ignoredFolder('web/kit')}/locales/de.json`]: '{}',
}
