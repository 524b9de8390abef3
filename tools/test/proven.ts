// Tests of the tests (planted violations, planted mutants) prove that a rule can fail, and those of the kit show its controls alone in
// a browser. They have to run again only if the rules, their checkers or the kit have changed: the hash of those inputs is stored with the date of the last passing run, in this
// checkout's cache and, written by `npm run test:long`, in the committed proven.json.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { productFiles, readJson } from '../checks/tree.ts'

const LEDGER = 'tools/test/proven.json'
const CACHE = 'node_modules/.cache/sightline/proven.json'

/** Packages whose new versions may find less than before. */
const CHECKERS = ['@biomejs/biome', 'dependency-cruiser', 'jscpd', 'knip', 'typescript', 'typescript-native']

const proofs = {
  'planted-violations': {
    files:
      /^(tools\/(checks|reference)\/.*(?<!\.test)\.m?ts|tools\/checks\/.*\.mjs|biome\.json|knip\.json|\.jscpd\.json|\.dependency-cruiser\.mjs|\.gitignore|(.*\/)?tsconfig[\w.]*\.json)$/,
    packages: CHECKERS,
  },
  'planted-holes': {
    // Entries are the calls that are tried, not how.
    files: /^(tests\/tenancy(?!\/entries\/(?!index\.ts))|server\/platform\/src\/http|contract\/src\/(rights|wire))\//,
    packages: [],
  },
  'kit-in-browsers': {
    files:
      /^(web\/kit\/(?!.*\.test\.)|tests\/e2e\/kit|tests\/(browser|dates|every-look|kit-gallery|long-run|popups|screens)\.ts$|contract\/src\/theme\/)/,
    packages: [
      ...['@base-ui/react', '@internationalized/date', '@tanstack/react-virtual', 'lucide-react', 'react', 'react-dom'],
      ...['react-aria-components', 'react-aria', 'react-stately', 'tailwindcss', 'vite', 'axe-core', 'playwright-core'],
    ],
  },
} as const satisfies Record<string, { readonly files: RegExp; readonly packages: readonly string[] }>

export type ProofName = keyof typeof proofs

interface Proof {
  readonly inputs: string
  /** Day of the last passing run on those inputs. */
  readonly on: string
}

type Ledger = Readonly<Partial<Record<ProofName, Proof>>>

const read = (file: string): Ledger => (existsSync(file) ? (readJson(file) as Ledger) : {})

/** Hash of everything that the proof depends on. */
function inputsOf(name: ProofName): string {
  const { files, packages } = proofs[name]
  const hash = createHash('sha256')
  for (const file of productFiles().filter((each) => files.test(each)))
    hash.update(file).update('\0').update(readFileSync(file)).update('\0')
  const lock = readJson('package-lock.json') as { packages: Readonly<Record<string, { version?: string }>> }
  for (const each of packages) hash.update(`${each}@${lock.packages[`node_modules/${each}`]?.version}\0`)
  return hash.digest('hex')
}

export interface PresentProof {
  /** Day of the last passing run on the current inputs; undefined if the proof has to run. */
  readonly provenOn: string | undefined
  /** Records a passing run on those inputs: for this checkout, and with `forAll` in the committed ledger. */
  record(forAll: boolean): void
}

/** Reads the proof's inputs now, because they may be edited during a run of minutes. */
export function presentProof(name: ProofName): PresentProof {
  const inputs = inputsOf(name)
  const known = [read(CACHE), read(LEDGER)].map((ledger) => ledger[name])
  return {
    provenOn: known.find((proof) => proof?.inputs === inputs)?.on,
    record(forAll) {
      const proof: Proof = { inputs, on: new Date().toISOString().slice(0, 10) }
      for (const file of forAll ? [CACHE, LEDGER] : [CACHE]) {
        mkdirSync(dirname(file), { recursive: true })
        writeFileSync(file, `${JSON.stringify({ ...read(file), [name]: proof }, null, 2)}\n`)
      }
    },
  }
}
