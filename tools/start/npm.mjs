import { accessSync, constants, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { captured } from './captured.mjs'
import { OperatorError } from './operator-error.mjs'

/** Installs packages as they are: nothing is compiled, and no package can run scripts. */
const CI = [
  'ci',
  '--include=dev',
  '--include=optional',
  '--ignore-scripts',
  '--no-audit',
  '--no-fund',
  '--loglevel=error',
]

/**
 * Makes the folder's node_modules match its package-lock.json.
 * @param {string} folder
 * @param {string} node the Node that npm runs on: npm omits optional packages that do not support it
 * @throws {OperatorError} with one sentence if the reason is known, otherwise with npm's output
 */
export async function npmCi(folder, node) {
  const cache = cacheThatCanBeWritten()
  try {
    const { code, output } = await npm(node, CI, { cwd: folder, env: environment(cache.variables) })
    if (code !== 0) throw new OperatorError(explain(output, folder))
  } finally {
    cache.remove()
  }
}

async function npm(node, words, options) {
  const script = process.env.npm_execpath
  const isNpm = script !== undefined && /npm-cli\.c?js$/.test(script) && existsSync(script)
  const [program, before] = isNpm ? [node, [script]] : ['npm', []]
  try {
    return await captured(program, [...before, ...words], options)
  } catch (cause) {
    if (cause instanceof OperatorError) throw cause
    throw new OperatorError(`Could not start npm (${cause.code}). Sightline needs it once to install its packages.`, {
      cause,
    })
  }
}

function environment(more) {
  const env = { ...process.env, ...more }
  // Set by the npm that runs this; they would point the inner npm to another folder, or omit the build tools.
  for (const name of ['npm_config_prefix', 'npm_config_local_prefix', 'NODE_ENV']) delete env[name]
  return env
}

/** npm stores downloads under HOME, which a service user may not have. */
function cacheThatCanBeWritten() {
  const usual = process.env.npm_config_cache ?? join(homedir(), '.npm')
  try {
    mkdirSync(usual, { recursive: true })
    accessSync(usual, constants.W_OK)
    return { variables: {}, remove: () => undefined }
  } catch {
    const folder = mkdtempSync(join(tmpdir(), 'sightline-npm-'))
    return {
      variables: { npm_config_cache: folder },
      remove: () => rmSync(folder, { recursive: true, force: true }),
    }
  }
}

const NETWORK =
  /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT|UND_ERR_CONNECT_TIMEOUT)\b/

/** Some versions of npm 10 lose the error if the first download fails, and print only this. */
const NETWORK_PERHAPS = /Exit handler never called/

function explain(output, folder) {
  const network = NETWORK.exec(output)?.[1] ?? NETWORK_PERHAPS.exec(output)?.[0]
  if (network !== undefined) {
    return `npm could not reach the package registry (${network}). Connect this machine to the internet, or set npm's registry or proxy, and start again. The connection is only needed to install.`
  }
  if (/\bENOSPC\b/.test(output))
    return `Could not install packages: the disk of ${folder} is full. Free about 1 GB and start again.`
  if (/\b(EACCES|EPERM|EROFS)\b/.test(output)) {
    return `Could not install packages: this user has no permission to write to ${folder}. Have the owner of the folder run "npm start" there once.`
  }
  return `npm ci failed:\n${output.trim()}`
}
