import { handler } from '../../../agent/handler'

export { handler as DELETE, handler as GET, handler as PATCH, handler as POST }
