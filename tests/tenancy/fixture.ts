import { randomBytes } from 'node:crypto'
import { apiRoutes } from '@sightline/api'
import { openAuth } from '@sightline/auth'
import { generateAuthSecrets } from '@sightline/auth/secrets'
import type { SignInPages } from '@sightline/contract/sign-in-pages'
import { brandSource, createBrandLookup } from '@sightline/platform/brands'
import { systemClock } from '@sightline/platform/clock'
import { idSource } from '@sightline/platform/db'
import { type TestDatabase, testDatabase } from '@sightline/platform/db-testing'
import { envelopeEncryption } from '@sightline/platform/envelope-encryption'
import type { ServedRoute } from '@sightline/platform/http'
import { silentLogger } from '@sightline/platform/log'
import { mailOutbox } from '@sightline/platform/mail'
import { obedientCameras, obedientOutputs } from '../../server/api/src/media-testing.ts'
import { openFrame, type ServedFrame } from './frame.ts'
import { openJournal } from './journal.ts'
import { arrangePrincipals, type Who } from './principals.ts'
import type { TrialFixture } from './trial.ts'
import { arrangeWorld } from './world.ts'

/** The world with all callers, and the routes of both planes as the product serves them. */
export interface TenancyFixture extends TrialFixture, AsyncDisposable {
  readonly everybody: readonly Who[]
  readonly served: readonly ServedRoute[]
  readonly database: TestDatabase
  /** Errors that the server threw: bugs. */
  readonly bugs: readonly unknown[]
  /** The API's routes without row-level security: under a role that sees everything. */
  servedWithoutWall(): readonly ServedRoute[]
  /** Other routes over the same world. */
  openFrame(served: readonly ServedRoute[], given?: { rememberMs?: number }): Promise<ServedFrame>
}

export async function openFixture(): Promise<TenancyFixture> {
  const database = await testDatabase()
  const world = await arrangeWorld(database.db('owner'))
  const everybody = await arrangePrincipals(world)
  const journal = await openJournal(database.db('owner'))
  const bugs: unknown[] = []
  const { served, apiOver, close } = await servedOf(database)
  const app = database.db('app')
  const frameOf = (routes: readonly ServedRoute[], given = {}) =>
    openFrame({ app, served: routes, onBug: (error) => bugs.push(error), ...given })
  const frame = await frameOf(served)
  return {
    world,
    everybody,
    journal,
    frame,
    served,
    database,
    bugs,
    servedWithoutWall: () => apiOver('owner'),
    openFrame: frameOf,
    async [Symbol.asyncDispose]() {
      await frame[Symbol.asyncDispose]()
      await close()
      await database[Symbol.asyncDispose]()
    },
  }
}

/** Minimal argon2 cost: no rule of this folder depends on it. */
const CHEAP_PASSWORDS = { memoryCost: 8, timeCost: 1, parallelism: 1 }

/** Stands in for the media plane's answer, inside this process. */
const pictureOf = (question: object): string => `picture for ${JSON.stringify(question)}`

interface ServedDeps {
  readonly served: readonly ServedRoute[]
  readonly apiOver: (role: 'app' | 'owner') => readonly ServedRoute[]
  readonly close: () => Promise<void>
}

async function servedOf(database: TestDatabase): Promise<ServedDeps> {
  const seals = envelopeEncryption(randomBytes(32))
  const app = database.db('app')
  const brands = brandSource(createBrandLookup(app), {
    scheme: 'http',
    ownHosts: () => ['tenancy.example'],
    clock: systemClock,
  })
  const auth = await openAuth({
    db: database.db('auth'),
    secrets: generateAuthSecrets(),
    brands,
    pages: {} as SignInPages,
    encryption: seals,
    outbox: mailOutbox(seals, systemClock),
    log: silentLogger,
    clock: systemClock,
    onRevoked: () => undefined,
    passwordCost: CHEAP_PASSWORDS,
  })
  const apiOver = (role: 'app' | 'owner') =>
    apiRoutes({
      db: database.db(role),
      ids: idSource(app),
      auth: auth.plane,
      exportDesk: { dropFile: async () => undefined },
      media: {
        decodesSound: false,
        makesPictures: true,
        encodes: { sound: true, pictures: true },
        clipEnd: async ({ till }) => till,
        exportedClip: async () => ({ kind: 'noFootage' }),
        snapshot: async (question) => ({
          kind: 'picture',
          contentType: 'image/jpeg',
          bytes: Buffer.from(pictureOf(question)),
          takenAt: Date.now(),
        }),
        recordedPicture: async (question) => ({
          kind: 'picture',
          contentType: 'image/jpeg',
          bytes: Buffer.from(pictureOf(question)),
          takenAt: Date.now(),
        }),
        command: obedientCameras(obedientOutputs),
        talk: async () => ({ kind: 'open' }),
        discovery: async () => ({ kind: 'state', networks: [], search: 'none', progress: 0, cameras: [] }),
        motionPreview: async () => ({ state: 'off', active: false, columns: 32, rows: 18, moving: [], ignored: [] }),
        camerasChanged: () => undefined,
        eventAdded: () => undefined,
      },
      // Encryption is tested elsewhere.
      encryption: { seal: (_, text) => Buffer.from(text), open: (_, sealed) => sealed.toString() },
      telling: { brands, outbox: mailOutbox(seals, systemClock) },
      push: {
        applicationServerKey: 'key',
        deliver: async () => ({ ok: true, value: undefined }),
        isEndpoint: () => true,
      },
      now: Date.now,
      mediaOrigin: (host) => `ws://${host}`,
    })
  return { served: [...apiOver('app'), ...auth.served], apiOver, close: async () => auth[Symbol.asyncDispose]() }
}
