export { useMoment } from './moments.ts'
