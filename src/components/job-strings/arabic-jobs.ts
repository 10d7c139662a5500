import { number, plural, time } from '../locales/arabic-measures.ts'
import type { JobStrings } from './job-strings.ts'

/** The strings of jobs in Arabic. */
export const arabicJobs: JobStrings = {
  states: {
    accepted: 'تم القبول',
    queued: 'في قائمة الانتظار',
    running: 'قيد التنفيذ',
    blocked: 'بانتظار إجابة',
    paused: 'متوقفة مؤقتًا',
    completed: 'مكتملة',
    failed: 'فشلت',
    cancelled: 'أُلغيت',
    stale: 'لا تستجيب',
  },
  job: {
    title: 'مهمة',
    progress: 'التقدم',
    amount: (current, total) => `${number(current)} من ${number(total)}`,
    stop: 'إيقاف المهمة',
    stopping: 'جارٍ الإيقاف…',
    interrupt: 'مقاطعة',
    retry: 'تشغيل مرة أخرى',
    code: (code) => `الرمز: ${code}`,
  },
  session: {
    phases: {
      idle: 'غير متصل',
      opening: 'جارٍ الاتصال',
      challenged: 'جارٍ التحقق',
      authenticating: 'جارٍ تسجيل الدخول',
      accepted: 'متصل',
      refreshing: 'جارٍ تجديد تسجيل الدخول',
      reconnecting: 'جارٍ إعادة الاتصال',
      closing: 'جارٍ قطع الاتصال',
      evicted: 'انتهت الجلسة',
      rejected: 'رُفض الاتصال',
    },
    connect: 'اتصال',
    close: 'قطع الاتصال',
    retry: 'إعادة المحاولة الآن',
    endsIn: (ms) => `تنتهي الجلسة خلال ${time(ms)}`,
    retryIn: (ms) => `المحاولة التالية خلال ${time(ms)}`,
    capabilities: 'الإمكانات',
  },
  log: {
    label: 'السجل',
    levels: { trace: 'تتبّع', debug: 'تصحيح', info: 'معلومات', warn: 'تحذير', error: 'خطأ', critical: 'حرج' },
    empty: 'لا توجد إدخالات بعد',
  },
  usage: {
    tokens: 'الرموز',
    input: (count) => `المدخلات: ${number(count)}`,
    output: (count) => `المخرجات: ${number(count)}`,
    total: (count) =>
      plural(count, {
        zero: 'لا رموز',
        one: 'رمز واحد',
        two: 'رمزان',
        few: '# رموز',
        many: '# رمزًا',
        other: '# رمز',
      }),
    cost: 'التكلفة',
    ofLimit: (spent, limit) => `${spent} من ${limit}`,
    over: 'تم تجاوز الحد',
    number,
  },
  subscription: {
    label: 'الأحداث',
    states: {
      opening: 'جارٍ الاشتراك',
      backfilling: 'جارٍ تحميل الأحداث السابقة',
      open: 'محدّث',
      closed: 'انتهى الاشتراك',
      failed: 'تعذّر الاشتراك',
    },
    fresh: 'أحداث جديدة',
    empty: 'لا توجد أحداث بعد',
    dropped: (count) => `لم تعد الأحداث السابقة معروضة: ${number(count)}`,
    close: 'إلغاء الاشتراك',
  },
}
