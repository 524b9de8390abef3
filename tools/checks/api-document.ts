// The OpenAPI document passes two independent linters, because client generators fail on what they reject.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import spectralCore, { type RulesetDefinition } from '@stoplight/spectral-core'
import spectralParsers from '@stoplight/spectral-parsers'
import spectralRulesets from '@stoplight/spectral-rulesets'
import { openApiDocument } from '../reference/contract-pages.ts'
import { report } from './verdict.ts'

/** Both take seconds, so a document that passed is not linted again with the same versions and rules. */
const PASSED = 'node_modules/.cache/sightline/api-document'

async function redoclyProblems(source: string): Promise<string[]> {
  const config = await createConfig({
    extends: ['recommended-strict'],
    rules: {
      'no-invalid-media-type-examples': 'error',
      'no-invalid-parameter-examples': 'error',
      'no-unused-components': 'error',
      'operation-description': 'error',
      'parameter-description': 'error',
      'tag-description': 'error',
    },
  })
  const problems = await lintFromString({ source, config })
  return problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} (${location[0]?.pointer})`)
}

async function spectralProblems(source: string): Promise<string[]> {
  // CommonJS packages, from which Node can't import single names.
  const { Document, Spectral } = spectralCore
  const spectral = new Spectral()
  spectral.setRuleset({
    extends: [[spectralRulesets.oas as RulesetDefinition, 'all']],
    rules: {
      // The contact is the installation's operator; the document is the same for all.
      'info-contact': 'off',
      // OpenAPI 3.1 allows an SPDX identifier or a link, and we give the identifier.
      'license-url': 'off',
    },
  })
  const problems = await spectral.run(new Document(source, spectralParsers.Json, 'openapi.json'))
  return problems.map(({ code, message, path }) => `${code}: ${message} (${path.join('/')})`)
}

const source = openApiDocument()
const inputs = [source, readFileSync(import.meta.filename, 'utf8'), readFileSync('package.json', 'utf8')]
const key = createHash('sha256').update(inputs.join('\n')).digest('hex')
if (!existsSync(PASSED) || readFileSync(PASSED, 'utf8') !== key) {
  const problems = [...(await redoclyProblems(source)), ...(await spectralProblems(source))]
  report(problems)
  if (problems.length === 0) {
    mkdirSync('node_modules/.cache/sightline', { recursive: true })
    writeFileSync(PASSED, key)
  }
}
