package io.roceverbs.verbs;

import io.roceverbs.testing.PublicApi;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class PublicApiTest {

  @Test
  void thePublicApiIsTheRecordedOne() throws IOException {
    PublicApi.assertIsRecordedIn(Path.of("src", "api", "verbs-api.txt"));
  }

  @Test
  void itShowsNoTypeThatItsUsersCannotName() throws IOException {
    PublicApi.assertShowsNoHiddenType();
  }
}
