import { number, plural } from '../locales/arabic-measures.ts'
import type { TaskStrings } from './task-strings.ts'

/** The strings of tasks in Arabic. */
export const arabicTasks: TaskStrings = {
  status: {
    submitted: 'تم الإرسال',
    working: 'قيد التنفيذ',
    'input-required': 'مطلوب إدخال معلومات',
    'auth-required': 'مطلوب تسجيل الدخول',
    completed: 'مكتملة',
    canceled: 'أُلغيت',
    failed: 'فشلت',
    rejected: 'رفضها المساعد',
    unknown: 'حالة غير معروفة',
    unfinished: 'لم تكتمل',
  },
  card: { title: 'مهمة', stop: 'إيقاف المهمة', stopping: 'جارٍ الإيقاف…', parts: 'المهام الفرعية' },
  artifact: {
    view: 'عرض',
    close: 'إغلاق',
    content: 'المحتوى',
    version: 'الإصدار',
    latest: (version) => `${number(version)} (الأحدث)`,
    earlier: number,
    noPreview: 'لا تتوفر معاينة',
  },
  agent: {
    version: (version) => `الإصدار ${version}`,
    signature: {
      unsigned: 'غير موقَّعة',
      'unknown-key': 'لم يتم التحقق من التوقيع',
      valid: 'تم التحقق من التوقيع',
      'partly-signed': 'موقَّعة جزئيًا',
      invalid: 'توقيع غير صالح',
    },
    notCovered: (parts) => `لا يشمل التوقيع: ${parts.join('، ')}`,
    skills: 'المهارات',
    examples: (skill) => `أمثلة: ${skill}`,
    moreSkills: (count) =>
      plural(count, {
        zero: 'لا مهارات أخرى',
        one: 'عرض مهارة أخرى',
        two: 'عرض مهارتين أخريين',
        few: 'عرض # مهارات أخرى',
        many: 'عرض # مهارة أخرى',
        other: 'عرض # مهارة أخرى',
      }),
    capabilities: 'الإمكانات',
    streaming: 'البث المباشر',
    push: 'الإشعارات الفورية',
    extendedCard: 'تفاصيل إضافية بعد تسجيل الدخول',
    details: 'تفاصيل تقنية',
    input: 'أنواع المدخلات',
    output: 'أنواع المخرجات',
    security: 'طرق تسجيل الدخول',
    apiKey: 'مفتاح API',
    interfaces: 'الواجهات',
    extensions: 'الإضافات',
    required: 'مطلوبة',
    documentation: 'الوثائق',
  },
}
