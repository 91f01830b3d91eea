package io.roceverbs.testing;

import static java.util.stream.Collectors.joining;

import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedArrayType;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.AnnotatedWildcardType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.TypeVariable;
import java.util.Arrays;
import java.util.stream.Stream;

/**
 * One type as text: a line that declares it, then a line for each member, sorted by kind.
 *
 * <p>All text is made here, since what reflection's own {@code toString} prints differs from one
 * JDK to the next.
 */
final class TypeText {
  /** What a caller can see of a modifier; {@code synchronized} or {@code native} he can't. */
  private static final int API_MODIFIERS =
      Modifier.PUBLIC | Modifier.PROTECTED | Modifier.ABSTRACT | Modifier.STATIC | Modifier.FINAL;

  private TypeText() {}

  static String describe(Class<?> type) {
    return Stream.concat(Stream.of(header(type)), members(type))
        .collect(joining("\n    ", "", "\n"));
  }

  static Stream<String> members(Class<?> type) {
    Stream<String> enumConstants =
        visible(type.getDeclaredFields())
            .filter(Field::isEnumConstant)
            .map(field -> deprecation(field) + field.getName());
    Stream<String> fields =
        visible(type.getDeclaredFields())
            .filter(field -> !field.isEnumConstant())
            .map(TypeText::field);
    Stream<String> constructors =
        visible(type.getDeclaredConstructors()).map(TypeText::constructor);
    Stream<String> methods =
        visible(type.getDeclaredMethods())
            .filter(method -> !isImplied(method))
            .map(TypeText::method);
    return Stream.of(enumConstants, fields, constructors, methods).flatMap(Stream::sorted);
  }

  private static <M extends Member> Stream<M> visible(M[] members) {
    return Arrays.stream(members)
        .filter(member -> (member.getModifiers() & (Modifier.PUBLIC | Modifier.PROTECTED)) != 0)
        .filter(member -> !member.isSynthetic());
  }

  /** Each enum has these two. */
  private static boolean isImplied(Method method) {
    return method.getDeclaringClass().isEnum()
        && (method.getName().equals("values") || method.getName().equals("valueOf"));
  }

  private static String header(Class<?> type) {
    return deprecation(type)
        + modifiers(type.getModifiers() & ~impliedModifiers(type))
        + (type.isSealed() && !type.isEnum() ? "sealed " : "")
        + kind(type)
        + type.getName()
        + typeParameters(type.getTypeParameters())
        + superclass(type)
        + clause(type.isInterface() ? " extends " : " implements ", type.getAnnotatedInterfaces())
        + permitted(type);
  }

  /** What a kind of type has anyway, or, for an enum, what the bodies of its constants decide. */
  private static int impliedModifiers(Class<?> type) {
    if (type.isInterface()) {
      return Modifier.ABSTRACT | Modifier.STATIC;
    }
    return type.isEnum() || type.isRecord()
        ? Modifier.ABSTRACT | Modifier.FINAL | Modifier.STATIC
        : 0;
  }

  private static String superclass(Class<?> type) {
    AnnotatedType superclass = type.getAnnotatedSuperclass();
    if (superclass == null
        || superclass.getType() == Object.class
        || type.isEnum()
        || type.isRecord()) {
      return "";
    }
    return " extends " + text(superclass);
  }

  private static String permitted(Class<?> type) {
    if (!type.isSealed() || type.isEnum()) {
      return "";
    }
    return Arrays.stream(type.getPermittedSubclasses())
        .map(Class::getName)
        .collect(joining(", ", " permits ", ""));
  }

  private static String kind(Class<?> type) {
    if (type.isAnnotation()) {
      return "@interface ";
    }
    if (type.isInterface()) {
      return "interface ";
    }
    if (type.isEnum()) {
      return "enum ";
    }
    return type.isRecord() ? "record " : "class ";
  }

  private static String field(Field field) {
    String text =
        deprecation(field)
            + modifiers(field.getModifiers())
            + text(field.getAnnotatedType())
            + " "
            + field.getName();
    boolean compiledIntoCallers =
        Modifier.isStatic(field.getModifiers())
            && Modifier.isFinal(field.getModifiers())
            && (field.getType().isPrimitive() || field.getType() == String.class);
    return compiledIntoCallers ? text + " = " + value(field) : text;
  }

  private static String value(Field constant) {
    try {
      constant.setAccessible(true);
      return String.valueOf(constant.get(null));
    } catch (IllegalAccessException e) {
      throw new IllegalStateException("setAccessible has just allowed it: " + constant, e);
    }
  }

  private static String constructor(Constructor<?> constructor) {
    return deprecation(constructor)
        + modifiers(constructor.getModifiers())
        + genericPrefix(constructor)
        + constructor.getDeclaringClass().getSimpleName()
        + parameters(constructor)
        + clause(" throws ", constructor.getAnnotatedExceptionTypes());
  }

  private static String method(Method method) {
    return deprecation(method)
        + modifiers(method.getModifiers())
        + (method.isDefault() ? "default " : "")
        + genericPrefix(method)
        + text(method.getAnnotatedReturnType())
        + " "
        + method.getName()
        + parameters(method)
        + clause(" throws ", method.getAnnotatedExceptionTypes());
  }

  private static String genericPrefix(Executable executable) {
    String parameters = typeParameters(executable.getTypeParameters());
    return parameters.isEmpty() ? "" : parameters + " ";
  }

  private static String parameters(Executable executable) {
    String parameters =
        Arrays.stream(executable.getAnnotatedParameterTypes())
            .map(TypeText::text)
            .collect(joining(", ", "(", ")"));
    return executable.isVarArgs() ? parameters.replace("[])", "...)") : parameters;
  }

  private static String modifiers(int modifiers) {
    String text = Modifier.toString(modifiers & API_MODIFIERS);
    return text.isEmpty() ? "" : text + " ";
  }

  private static String deprecation(AnnotatedElement element) {
    return element.isAnnotationPresent(Deprecated.class) ? "@Deprecated " : "";
  }

  private static String typeParameters(TypeVariable<?>[] variables) {
    return variables.length == 0
        ? ""
        : Arrays.stream(variables).map(TypeText::typeParameter).collect(joining(", ", "<", ">"));
  }

  private static String typeParameter(TypeVariable<?> variable) {
    return variable.getName() + bounds(" extends ", variable.getAnnotatedBounds());
  }

  private static String clause(String keyword, AnnotatedType[] types) {
    return types.length == 0
        ? ""
        : Arrays.stream(types).map(TypeText::text).collect(joining(", ", keyword, ""));
  }

  private static String bounds(String keyword, AnnotatedType[] bounds) {
    String text = Arrays.stream(bounds).map(TypeText::text).collect(joining(" & "));
    return text.isEmpty() || text.equals(Object.class.getName()) ? "" : keyword + text;
  }

  private static String text(AnnotatedType type) {
    String annotations =
        Arrays.stream(type.getAnnotations())
            .map(Annotation::annotationType)
            .map(annotation -> "@" + annotation.getSimpleName() + " ")
            .sorted()
            .collect(joining());
    if (type instanceof AnnotatedArrayType array) {
      String dimension = annotations.isEmpty() ? "[]" : " " + annotations + "[]";
      return text(array.getAnnotatedGenericComponentType()) + dimension;
    }
    if (type instanceof AnnotatedParameterizedType parameterized) {
      String raw = ((ParameterizedType) type.getType()).getRawType().getTypeName();
      return Arrays.stream(parameterized.getAnnotatedActualTypeArguments())
          .map(TypeText::text)
          .collect(joining(", ", annotations + raw + "<", ">"));
    }
    if (type instanceof AnnotatedWildcardType wildcard) {
      AnnotatedType[] lower = wildcard.getAnnotatedLowerBounds();
      return annotations
          + "?"
          + (lower.length > 0
              ? bounds(" super ", lower)
              : bounds(" extends ", wildcard.getAnnotatedUpperBounds()));
    }
    return annotations + type.getType().getTypeName();
  }
}
