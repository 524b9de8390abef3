import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { type SignInPages, signInLanguages } from '@sightline/contract/sign-in-pages'
import { providerTheme } from '@sightline/contract/theme'
import type { Manifest } from 'vite'
import { repository } from '../../tests/running-product.ts'
import { type Bench, CannotMeasure, type Figure } from '../figure.ts'
import { bareReact } from './bare-react.ts'
import { scores } from './scores.ts'

const KIB = 1024
const built = join(repository, 'dist/web')

/** What a browser must fetch before an app appears, compared with React alone rendering one word. */
export const firstLoad: Bench = {
  name: 'first-load',
  title: 'First load',
  async run(pace) {
    const floor = [Buffer.from(await bareReact())]
    const pages = [
      { what: 'My Account', files: appFiles('account-portal', 'src/user-details/UserDetailsScreen.tsx'), target: 165 },
      { what: 'Web App, camera list', files: appFiles('camera-app'), target: 250 },
      {
        what: 'Web App, live camera',
        files: appFiles('camera-app', 'src/streams/CameraScreen.tsx'),
        target: 250,
      },
      { what: 'Sign-in page, whole document', files: [await signInPage()], target: 15 },
    ]
    const judged = await scores(pace)
    return {
      figures: [...pages.flatMap((page) => figuresOf(page, floor)), ...judged.figures],
      remarks: [
        ...judged.remarks,
        'JavaScript and CSS of the entry, the renderer, the named screen and all their static imports, from the build manifests; gzip 9 and brotli 11. Without fonts.',
        'React alone: react and react-dom from the same build tool, rendering one word. The sign-in page has no script.',
      ],
    }
  },
}

interface Page {
  readonly what: string
  readonly files: readonly Buffer[]
  readonly target: number
}

function figuresOf({ what, files, target }: Page, floor: readonly Buffer[]): Figure[] {
  const name = 'React alone'
  return [
    {
      what: `${what}, gzip`,
      unit: 'KiB',
      ours: sizeOf(files, gzip),
      beside: { name, value: sizeOf(floor, gzip) },
      target: { is: 'at most', value: target },
    },
    {
      what: `${what}, brotli`,
      unit: 'KiB',
      ours: sizeOf(files, brotliCompressSync),
      beside: { name, value: sizeOf(floor, brotliCompressSync) },
    },
  ]
}

const gzip = (bytes: Buffer): Buffer => gzipSync(bytes, { level: 9 })

const sizeOf = (files: readonly Buffer[], compress: (bytes: Buffer) => Buffer): number =>
  files.reduce((sum, bytes) => sum + compress(bytes).length, 0) / KIB

/** The module that renders all screens of an app; its entry loads it immediately. */
const DRAWING = 'src/screens.tsx'

/** @param screen a module that loads when it is first shown. */
function appFiles(app: string, screen?: string): Buffer[] {
  const folder = join(built, app)
  const path = join(folder, '.vite/manifest.json')
  if (!existsSync(path)) throw new CannotMeasure(`${app} is not built`)
  const manifest = JSON.parse(readFileSync(path, 'utf8')) as Manifest
  const isWanted = (key: string) => manifest[key]?.isEntry === true || key === DRAWING || key === screen
  const reached = new Set(Object.keys(manifest).filter(isWanted))
  if (screen !== undefined && !reached.has(screen)) throw new Error(`${path} does not name ${screen}`)
  // Iterating over a set includes elements that are added meanwhile.
  for (const key of reached) for (const imported of manifest[key]?.imports ?? []) reached.add(imported)
  const files = [...reached].flatMap((key) => [manifest[key]?.file ?? '', ...(manifest[key]?.css ?? [])])
  return [...new Set(files)]
    .filter((file) => /\.(m?js|css)$/.test(file))
    .map((file) => readFileSync(join(folder, file)))
}

/** The page at its longest: after a wrong password. */
async function signInPage(): Promise<Buffer> {
  const path = join(built, 'sign-in/sign-in.mjs')
  if (!existsSync(path)) throw new CannotMeasure('sign-in is not built')
  const { signInPages }: { signInPages: SignInPages } = await import(pathToFileURL(path).href)
  const otherLanguages = signInLanguages
    .filter((code) => code !== 'en')
    .map((language) => ({ language, href: `?language=${language}` }))
  const html = signInPages.signIn({
    language: 'en',
    otherLanguages,
    theme: providerTheme,
    nonce: 'aQx3dGVzdC1ub25jZS0xMjM0NQ==',
    action: '/sign-in/k3JhbmRvbS1pbnRlcmFjdGlvbg',
    email: 'somebody@example.com',
    forgotHref: '/sign-in/forgot?from=k3JhbmRvbS1pbnRlcmFjdGlvbg&lang=en',
    problem: { kind: 'locked', minutes: 15 },
  })
  return Buffer.from(html)
}
