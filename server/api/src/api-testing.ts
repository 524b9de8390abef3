import { apiSlices } from './index.ts'
import { type TestApi, type TestApiOptions, testApi as testSlices } from './slice-testing.ts'

export { RIGHT_PASSWORD, type SliceReply, type TestApi } from './slice-testing.ts'

/** The whole API, for tests that call many slices. A test of a few names them instead: slice-testing.ts. */
export const testApi = (options: Omit<TestApiOptions, 'slices'> = {}): Promise<TestApi> =>
  testSlices({ ...options, slices: apiSlices })
